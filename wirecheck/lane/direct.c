/* What Python knows of all this: the module, and Direct, which takes in exchanges. */

#include "direct.h"
#include <structmember.h>

static const struct {
    const char *name;
    size_t offset;
} GIVEN[] = {
#define X(name) {#name, offsetof(Direct, name)},
    THINGS(X)
#undef X
};
enum { GIVEN_COUNT = sizeof(GIVEN) / sizeof(*GIVEN) };

static const struct {
    const char *name;
    size_t offset;
} TOLD[] = {
#define X(name) {#name, offsetof(Direct, name)},
    SIZES(X) MARKS(X)
#undef X
};
enum { TOLD_COUNT = sizeof(TOLD) / sizeof(*TOLD) };

/* 1: taken in. 0: not, and nothing has changed. -1: an error. */
static int refused(void)
{
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))
        return -1; /* an interrupt */
    PyErr_Clear(); /* whatever it is, Python meets it again */
    return 0;
}

/* What is in pieces. */
static int take_pieces(Direct *d, Line *l, PyObject *path, Py_ssize_t number)
{
    if (look_up(d, l, path, number) < 0)
        return refused();
    return take_in(d, l) < 0 ? -1 : 1;
}

static void set_out(Direct *d, Line *l, PyObject *line)
{
    memset(l, 0, offsetof(Line, found));
    hold_nothing(&l->held);
    l->line = line;
    l->data = PyBytes_AS_STRING(line);
    l->size = PyBytes_GET_SIZE(line);
    d->pool.count = d->spoken.count = 0;
}

static int done(Line *l, int taken)
{
    let_go_of(&l->held);
    if (taken < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_SystemError, "what is taken in directly is not as it should be");
    return taken;
}

static int begins(PyObject *line, const char *with)
{
    size_t length = strlen(with);
    return PyBytes_Check(line) && (size_t)PyBytes_GET_SIZE(line) > length &&
           memcmp(PyBytes_AS_STRING(line), with, length) == 0;
}

/* The exchange that begins there: in one line, or with `kept` in as many as our own log has of it. */
static int take_lines(Direct *d, PyObject *lines, Py_ssize_t at, int kept, PyObject *path, Py_ssize_t number,
                      Py_ssize_t *count)
{
    PyObject *line = PySequence_Fast_GET_ITEM(lines, at);
    int whole = begins(line, "{\"request\":"), failed;
    Line l;
    if (!whole && !(kept && begins(line, "{\"v\":1,\"kind\":\"opened\"")))
        return 0;
    set_out(d, &l, line);
    hold(&l.held, Py_NewRef(line));
    *count = 1;
    failed = whole ? cut(d, &l) : cut_kept(d, &l, lines, at, count);
    return done(&l, failed ? refused() : take_pieces(d, &l, path, number));
}

/* Contents as Python has read them: the number and the values of each, and as they are written. */
static int contents_from(Direct *d, Line *l, PyObject *contents, PyObject *written, Py_ssize_t more)
{
    if (!PyTuple_Check(contents) || !PyList_Check(written) || PyTuple_GET_SIZE(contents) != PyList_GET_SIZE(written))
        return -1;
    l->count = PyTuple_GET_SIZE(contents);
    if (l->count == 0 || l->count > MOST)
        return -1;
    for (Py_ssize_t n = 0; n < l->count; n++) {
        PyObject *form = PyTuple_GET_ITEM(contents, n);
        if (!PyTuple_Check(form) || PyTuple_GET_SIZE(form) != 2 || !PyTuple_Check(PyTuple_GET_ITEM(form, 1)) ||
            !PyBytes_Check(PyList_GET_ITEM(written, n)))
            return -1;
        more += PyTuple_GET_SIZE(PyTuple_GET_ITEM(form, 1));
    }
    if (room_for(&d->pool, more) < 0)
        return -1;
    for (Py_ssize_t n = 0; n < l->count; n++) {
        PyObject *form = PyTuple_GET_ITEM(contents, n);
        d->written_of[n] = PyList_GET_ITEM(written, n);
        if (number(PyTuple_GET_ITEM(form, 0), &d->forms_of[n]) < 0 ||
            pooled(&d->pool, PyTuple_GET_ITEM(form, 1), &d->values_of[n]) < 0)
            return -1;
    }
    return 0;
}

/* What Python has cut: a Cut, and the history heard in it or None. */
static int pieces_of(Direct *d, Line *l, PyObject *one, PyObject *heard)
{
    PyObject *contents = get(&l->held, one, N_contents), *written = get(&l->held, one, N_slices),
             *said = get(&l->held, one, N_said);
    PyObject *reply = said == NULL ? NULL : get(&l->held, said, N_saying);
    PyObject *values = reply == NULL ? NULL : get(&l->held, said, N_values);
    PyObject *events = values == NULL ? NULL : get(&l->held, said, N_events);
    PyObject *same_reply = events == NULL ? NULL : get(&l->held, said, N_one);
    PyObject *text = get(&l->held, one, N_text), *inner = get(&l->held, one, N_inner);
    uint64_t start, end, lines;
    l->around = get(&l->held, one, N_around);
    if (contents == NULL || written == NULL || same_reply == NULL || text == NULL || inner == NULL ||
        l->around == NULL || !Py_IS_TYPE(reply, reply_type) || !PyTuple_Check(values) ||
        number_of(one, N_start, &start) < 0 || number_of(one, N_end, &end) < 0 || number_of(one, N_lines, &lines) < 0 ||
        number_of(said, N_sign, &l->sign) < 0 || (l->signatures = get(&l->held, said, N_signatures)) == NULL ||
        contents_from(d, l, contents, written, PyTuple_GET_SIZE(values)) < 0 || pooled(&d->pool, values, &l->said) < 0)
        return -1;
    l->reply = (const Reply *)reply;
    l->start = (Py_ssize_t)start;
    l->end = (Py_ssize_t)end;
    l->lines = lines > 1;
    l->text = text == Py_True;
    l->inner = inner == Py_True;
    l->events = events == Py_True;
    l->one = same_reply == Py_True;
    return heard != Py_None ? goes_on(d, l, heard) : 0;
}

/* For Python */

static int is_given(const Direct *d)
{
    for (int n = 0; n < GIVEN_COUNT; n++)
        if (*(PyObject *const *)((const char *)d + GIVEN[n].offset) == NULL) {
            PyErr_Format(PyExc_ValueError, "%s was not given", GIVEN[n].name);
            return 0;
        }
    return 1;
}

static PyObject *direct_run(Direct *d, PyObject *const *args, Py_ssize_t count)
{
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "run(lines: Sequence[bytes], begin: int, path: str, number: int, kept: bool)");
        return NULL;
    }
    Py_ssize_t begin = PyLong_AsSsize_t(args[1]), number = PyLong_AsSsize_t(args[3]), at = begin, exchanges = 0;
    if (begin < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "places are not negative");
    PyObject *lines = PyErr_Occurred() || !is_given(d) ? NULL : PySequence_Fast(args[0], "lines are a sequence");
    if (lines == NULL)
        return NULL;
    int taken = 1;
    for (Py_ssize_t several; at < PySequence_Fast_GET_SIZE(lines); at += several, exchanges++)
        if ((taken = take_lines(d, lines, at, args[4] == Py_True, args[2], number + at - begin, &several)) != 1)
            break;
    Py_DECREF(lines);
    return taken < 0 ? NULL : Py_BuildValue("nn", at - begin, exchanges);
}

static PyObject *direct_take(Direct *d, PyObject *const *args, Py_ssize_t count)
{
    Line l;
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "take(cut: Cut, heard: Heard | None, path: str, number: int)");
        return NULL;
    }
    Py_ssize_t number = PyLong_AsSsize_t(args[3]);
    PyObject *line = PyErr_Occurred() || !is_given(d) ? NULL : PyObject_GetAttr(args[0], names[N_line]);
    if (line != NULL && !PyBytes_Check(line)) {
        PyErr_SetString(PyExc_TypeError, "a line is bytes");
        Py_CLEAR(line);
    }
    if (line == NULL)
        return NULL;
    set_out(d, &l, line);
    int taken = pieces_of(d, &l, args[0], args[1]) < 0 ? refused() : take_pieces(d, &l, args[2], number);
    taken = done(&l, taken);
    Py_DECREF(line);
    return taken < 0 ? NULL : PyBool_FromLong(taken);
}

/* What contents tell, for Python: the state after them, whether calls are recited, the words of the user and what the
   model says as numbers, the functions that are called, and all pieces: which content and part, its kind and what else
   tells it from others, and the function that it names. */

static PyObject *numbers_object(const uint64_t *numbers, int count)
{
    PyObject *all = PyList_New(count);
    for (int n = 0; n < count && all != NULL; n++) {
        PyObject *one = PyLong_FromUnsignedLongLong(numbers[n]);
        if (one == NULL)
            Py_CLEAR(all);
        else
            PyList_SET_ITEM(all, n, one);
    }
    return all;
}

static int add_object(PyObject *list, PyObject *one)
{
    int failed = one == NULL || PyList_Append(list, one) < 0;
    Py_XDECREF(one);
    return failed ? -1 : 0;
}

static int add_piece(PyObject *list, Piece piece, int n)
{
    return add_object(list, Py_BuildValue("ii(KKKK)O", n, -1, piece.kind, piece.one, piece.two, piece.three, Py_None));
}

static int add_parts(PyObject *pieces, PyObject *calls, const Told *told, int n)
{
    const Content *one = told->of[n];
    for (int m = 0; m < one->named_count; m++) {
        const Named *part = &one->named[m];
        const Value *value = value_at(told->values[n], part->name);
        const Piece piece = part_piece(part);
        PyObject *name = text_object(value);
        int failed = name == NULL ||
                     add_object(pieces, Py_BuildValue("ii(KKKK)O", n, part->part, piece.kind, piece.one, piece.two,
                                                      piece.three, name)) < 0 ||
                     (one->role == MODEL && add_object(calls, Py_BuildValue("Oii", name, n, part->part)) < 0);
        Py_XDECREF(name);
        if (failed)
            return -1;
    }
    return 0;
}

static PyObject *told_object(const Direct *d, const Line *l)
{
    const Told *told = &l->told;
    PyObject *pieces = PyList_New(0), *calls = PyList_New(0);
    int failed = pieces == NULL || calls == NULL;
    for (int n = 0; n < told->count && !failed; n++)
        failed = add_piece(pieces, content_piece(told, n), n) < 0;
    failed = failed || (told->state == MODEL && add_piece(pieces, ending_piece(told), -1) < 0);
    for (int n = 0; n < told->count && !failed; n++)
        failed = add_parts(pieces, calls, told, n) < 0;
    PyObject *asked = numbers_object(d->asked_of, l->asked_count), *signs = numbers_object(d->signs_of, l->signs_count);
    PyObject *all = failed || asked == NULL || signs == NULL
                        ? NULL
                        : Py_BuildValue("sOOOOO", state_name(told->state), told->calls ? Py_True : Py_False, asked,
                                        signs, calls, pieces);
    Py_XDECREF(asked);
    Py_XDECREF(signs);
    Py_XDECREF(calls);
    Py_XDECREF(pieces);
    return all;
}

/* Contents and how they are written; what each shows, from one on. */
static int asked_about(Direct *d, Line *l, PyObject *line, PyObject *const *args, Py_ssize_t first)
{
    set_out(d, l, line);
    if (contents_from(d, l, args[0], args[1], 0) < 0 || first < 0 || first >= l->count)
        return -1;
    l->first = first;
    if (shown(d, l) < 0)
        return -1;
    l->told.fresh = 1;
    return 0;
}

/* What comes of it, or None. */
static PyObject *answer(Line *l, PyObject *one)
{
    int stopped = one == NULL ? refused() : 0;
    done(l, stopped);
    return one == NULL && stopped == 0 ? Py_NewRef(Py_None) : one;
}

static PyObject *direct_tell(Direct *d, PyObject *const *args, Py_ssize_t count)
{
    Line l;
    State state = NOTHING;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError,
                        "tell(contents: tuple, written: list, first: int, state: str | None, reply: Any)");
        return NULL;
    }
    Py_ssize_t first = PyLong_AsSsize_t(args[2]);
    if (PyErr_Occurred() || !is_given(d))
        return NULL;
    int failed = asked_about(d, &l, d->nothing, args, first) < 0;
    if (args[3] != Py_None) {
        l.told.fresh = 0;
        failed = failed || state_of(args[3], &state) < 0;
    }
    failed =
        failed || tell(&l.told, state) != 0 || numbers_of(d, &l) < 0 || (!l.told.fresh && recited(d, &l, args[4]) < 0);
    return answer(&l, failed ? NULL : told_object(d, &l));
}

/* The last two where others are gone before them. */
static PyObject *seam_object(const Told *told, int last)
{
    const uint64_t *before = told->before;
    return Py_BuildValue("(iKKi)(iKKi)(iiii)", SEAM, before[last - 1], told->of[last - 1]->form, 0, NEXT, before[last],
                         told->of[last]->form, 0, GONE, 0, 0, 0);
}

static PyObject *direct_seam(Direct *d, PyObject *const *args, Py_ssize_t count)
{
    Line l;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "seam(contents: tuple, written: list)");
        return NULL;
    }
    if (!is_given(d))
        return NULL;
    int last = -1;
    if (asked_about(d, &l, d->nothing, args, 0) == 0 && tell(&l.told, NOTHING) >= 0)
        last = l.told.count - 1;
    return answer(&l, last < 1 ? NULL : seam_object(&l.told, last));
}

static PyObject *direct_words(Direct *d, PyObject *const *args, Py_ssize_t count)
{
    Line l;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "words(contents: tuple, written: list)");
        return NULL;
    }
    if (!is_given(d))
        return NULL;
    uint64_t words = 0;
    int failed = asked_about(d, &l, d->nothing, args, 0) < 0, n = l.told.count;
    while (!failed && --n >= 0)
        if (l.told.of[n]->role == USER && l.told.of[n]->texts->count) {
            failed = words_of(d->hash64, l.told.values[n], l.told.of[n]->texts, &words) < 0;
            break;
        }
    return answer(&l, failed ? NULL : PyLong_FromUnsignedLongLong(words));
}

/* Takes over what is given under these names. */
static PyObject *direct_given(Direct *d, PyObject *table)
{
    if (!PyDict_Check(table)) {
        PyErr_SetString(PyExc_TypeError, "what is given are names and things");
        return NULL;
    }
    for (int n = 0; n < GIVEN_COUNT; n++) {
        PyObject *one = PyDict_GetItemString(table, GIVEN[n].name);
        if (one != NULL)
            Py_XSETREF(*(PyObject **)((char *)d + GIVEN[n].offset), Py_NewRef(one));
    }
    for (int n = 0; n < TOLD_COUNT; n++) {
        PyObject *one = PyDict_GetItemString(table, TOLD[n].name);
        if (one != NULL && number(one, (uint64_t *)((char *)d + TOLD[n].offset)) < 0)
            return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *direct_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    Direct *d = (Direct *)type->tp_alloc(type, 0);
    if (d != NULL) {
        open_reading(&d->reading);
        open_reading(&d->answering);
    }
    return (PyObject *)d;
}

static int direct_visit(Direct *d, visitproc visit, void *arg)
{
    for (int n = 0; n < GIVEN_COUNT; n++)
        Py_VISIT(*(PyObject **)((char *)d + GIVEN[n].offset));
    Py_VISIT(Py_TYPE(d));
    return 0;
}

static int direct_clear(Direct *d)
{
    for (int n = 0; n < GIVEN_COUNT; n++)
        Py_CLEAR(*(PyObject **)((char *)d + GIVEN[n].offset));
    return 0;
}

static void direct_free(Direct *d)
{
    PyTypeObject *type = Py_TYPE(d);
    PyObject_GC_UnTrack(d);
    direct_clear(d);
    close_reading(&d->reading);
    close_reading(&d->answering);
    PyMem_Free(d->pool.all);
    PyMem_Free(d->spoken.all);
    type->tp_free(d);
    Py_DECREF(type);
}

static PyMethodDef direct_methods[] = {
    {"run", (PyCFunction)(void (*)(void))direct_run, METH_FASTCALL,
     "run(lines, begin, path, number, kept)\n--\n\nHow many of these lines, from one on, were taken in, and how many\n"
     "exchanges these are; with `kept`, also those in several lines."},
    {"tell", (PyCFunction)(void (*)(void))direct_tell, METH_FASTCALL,
     "tell(contents, written, first, state, reply)\n--\n\n"
     "What contents tell from one on that go on from a state with a reply, or from nothing; None where that is not\n"
     "usual."},
    {"seam", (PyCFunction)(void (*)(void))direct_seam, METH_FASTCALL,
     "seam(contents, written)\n--\n\nWhat tells the last two contents from others where those before are gone, and "
     "that\n"
     "something is; None likewise."},
    {"words", (PyCFunction)(void (*)(void))direct_words, METH_FASTCALL,
     "words(contents, written)\n--\n\nWhat the user says last in these, as a number; None likewise."},
    {"take", (PyCFunction)(void (*)(void))direct_take, METH_FASTCALL,
     "take(cut, heard, path, number)\n--\n\nWhether an exchange that was cut into pieces was taken in."},
    {"given", (PyCFunction)direct_given, METH_O, "given(things)\n--\n\nWhat it works with."},
    {NULL},
};

static PyType_Slot direct_slots[] = {
    {Py_tp_new, direct_new},
    {Py_tp_dealloc, direct_free},
    {Py_tp_traverse, direct_visit},
    {Py_tp_clear, direct_clear},
    {Py_tp_methods, direct_methods},
    {Py_tp_doc, "Takes in what is known in all its forms."},
    {0, NULL},
};

static PyType_Spec direct_spec = {
    "wirecheck.lane.compiled.Direct", sizeof(Direct), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, direct_slots,
};

/* Numbers and values that are kept, for Python */

/* One for several. */
static PyObject *number_of_all(PyObject *module, PyObject *several)
{
    PyObject *all = PySequence_Fast(several, "numbers are a sequence");
    uint64_t value = seed, next;
    for (Py_ssize_t n = 0; all != NULL && n < PySequence_Fast_GET_SIZE(all); n++) {
        if (number(PySequence_Fast_GET_ITEM(all, n), &next) < 0)
            Py_CLEAR(all);
        else
            value = mix(value, next);
    }
    Py_XDECREF(all);
    return all == NULL ? NULL : PyLong_FromUnsignedLongLong(value);
}

static PyObject *piece_number(PyObject *module, PyObject *args)
{
    unsigned long long lead, kind, one, two, three;
    if (!PyArg_ParseTuple(args, "KKKKK", &lead, &kind, &one, &two, &three))
        return NULL;
    const Piece piece = {kind, one, two, three};
    return PyLong_FromUnsignedLongLong(number_of_piece(&piece, lead));
}

static PyObject *name_number(PyObject *module, PyObject *args)
{
    unsigned long long piece;
    Value name = {.what = TEXT};
    if (!PyArg_ParseTuple(args, "Ks#", &piece, &name.text, &name.size))
        return NULL;
    return PyLong_FromUnsignedLongLong(number_of_name(piece, name.size ? &name : NULL));
}

static PyObject *pack_values(PyObject *module, PyObject *values)
{
    Pool pool = {NULL};
    Values all;
    PyObject *bytes = NULL;
    if (!PyTuple_Check(values))
        PyErr_SetString(PyExc_TypeError, "values are a tuple");
    else if (room_for(&pool, PyTuple_GET_SIZE(values)) == 0 && pooled(&pool, values, &all) == 0)
        bytes = packed(all);
    PyMem_Free(pool.all);
    if (bytes == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "values are texts and bytes");
    return bytes;
}

static PyObject *unpack_values(PyObject *module, PyObject *bytes)
{
    Pool pool = {NULL};
    Values all;
    if (unpacked(&pool, bytes, &all) < 0) {
        PyMem_Free(pool.all);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "values come as they were packed");
        return NULL;
    }
    PyObject *values = PyTuple_New(all.count);
    for (int n = 0; n < all.count && values != NULL; n++) {
        PyObject *one = all.all[n].what == TEXT ? text_object(&all.all[n]) : bytes_object(&all.all[n]);
        if (one == NULL)
            Py_CLEAR(values);
        else
            PyTuple_SET_ITEM(values, n, one);
    }
    PyMem_Free(pool.all);
    return values;
}

static PyMethodDef functions_for_python[] = {
    {"number", number_of_all, METH_O, "number(numbers)\n--\n\nOne number for several."},
    {"piece", piece_number, METH_VARARGS,
     "piece(lead, kind, one, two, three)\n--\n\nA number for the form of a piece."},
    {"named", name_number, METH_VARARGS, "named(piece, name)\n--\n\nThe same of a part that names this function."},
    {"pack", pack_values, METH_O, "pack(values)\n--\n\nTexts and bytes, to be kept."},
    {"unpack", unpack_values, METH_O, "unpack(packed)\n--\n\nThe texts and bytes that are kept."},
    {NULL},
};

/* Numbers that are known in this process alone. */
static int unknown_numbers(void)
{
    PyObject *os = PyImport_ImportModule("os");
    PyObject *random = os == NULL ? NULL : PyObject_CallMethod(os, "urandom", "n", (Py_ssize_t)(2 * sizeof(uint64_t)));
    int known = random != NULL && PyBytes_Check(random) && PyBytes_GET_SIZE(random) == 2 * sizeof(uint64_t);
    if (known) {
        memcpy(&seed, PyBytes_AS_STRING(random), sizeof(seed));
        memcpy(&factor, PyBytes_AS_STRING(random) + sizeof(seed), sizeof(factor));
        factor |= 1;
    }
    Py_XDECREF(os);
    Py_XDECREF(random);
    return known ? 0 : -1;
}

static int module_exec(PyObject *module)
{
    if (unknown_numbers() < 0 || names_ready() < 0 || read_ready(module) < 0 || said_ready(module) < 0)
        return -1;
    PyObject *type = PyType_FromSpec(&direct_spec);
    int failed = type == NULL || PyModule_AddObjectRef(module, "Direct", type) < 0 ||
                 PyModule_AddFunctions(module, functions_for_python) < 0 || PyModule_AddIntMacro(module, ENDING) < 0 ||
                 PyModule_AddIntMacro(module, PART) < 0 || PyModule_AddIntMacro(module, REPLY) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "compiled", "The quick lane, as far as it is in C.", 0, NULL, module_slots,
};

PyMODINIT_FUNC PyInit_compiled(void)
{
    return PyModuleDef_Init(&module);
}
