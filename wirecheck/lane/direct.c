/* An exchange all of whose forms are known, taken in without Python.

   This is the quick lane for what is most common, once more: what Lane.cut, Lane.usual and Quick._takes_one do with a
   line is done here on the same objects. First everything is looked up. Of what is new Python tells what it is (New in
   directly.py); where anything else is missing, or is less common, nothing has been changed, and Python takes the line
   from its beginning. Then the line is taken in, with what was found. So whatever changes there has to change here;
   tests/lane/test_direct.py holds that both leave the same behind. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 32, HELD = 256 }; /* contents that are new in a line; objects that are held without asking for room */

/* Attributes that are asked for. */
#define NAMES(X) \
    X(_age) X(_before) X(_contents) X(_count) X(_events) X(_inner) X(_keep_echoes) X(_keep_reply) X(_keep_tail) \
    X(_late) X(_late_before) X(_lately) X(_length) X(_light) X(_lines) X(_marked) X(_most) X(_origin) X(_places) \
    X(_replies) X(_room) X(_saying) X(_stood) X(_tails) X(_text) X(_turn) X(_values) X(_weight) X(add) X(again) X(age) \
    X(alias) X(alike) X(all) X(around) X(asked) X(at) X(called) X(calls) X(chain) X(contents) X(conversation) \
    X(doubtful) X(dropped) X(end) X(events) X(exact) X(failed) X(find) X(fingerprint) X(finish) X(fits) X(form) \
    X(found) X(frombytes) X(hashes) X(held) X(id) X(ids) X(inner) X(kind) X(known) X(lead) X(leave) X(length) X(light) \
    X(line) X(lines) X(made) X(many) X(model) X(move) X(move_to_end) X(name) X(named) X(names) X(notes) X(number) \
    X(one) X(open_calls) X(opening) X(outline) X(parts) X(path) X(pieces) X(placed) X(places) X(recites) X(remembers) \
    X(remove) X(reply) X(said) X(same) X(saying) X(says) X(setting) X(severity) X(sign) X(signature) X(signatures) \
    X(signed) X(size) X(slices) X(sound) X(speaks) X(start) X(state) X(stream) X(stretches) X(tail) X(text) X(texts) \
    X(thread) X(tools) X(values) X(words)

enum {
#define X(name) N_##name,
    NAMES(X)
#undef X
    N_COUNT
};

static const char *const SPELT[] = {
#define X(name) #name,
    NAMES(X)
#undef X
};

static PyObject *names[N_COUNT];

/* What is given by Python. First what is known of forms, which goes for all files; then what belongs to a file. */
#define TABLES(X) X(lines) X(arounds) X(sayings) X(tellings) X(sound) X(whole)
#define CALLS(X) \
    X(recognise) X(recognise_contents) X(beginning) X(hash64) X(decode) X(weigh) X(known_as) X(surrounded) \
    X(of_around) X(new_saying) X(new_telling) X(new_asked) X(new_replied)
#define MADE(X) \
    X(conversation) X(reply) X(origin) X(named) X(stood) X(echoed) X(known) X(several) X(left) X(node) X(array) \
    X(typecode) X(exchange) X(newline) X(nothing) X(ending) X(surrounding)
#define OF_FILE(X) \
    X(threads) X(memory) X(signatures) X(toolboxes) X(prefixes) X(shelf) X(counted) X(again) X(of_conversations) \
    X(of_prefixes)
#define THINGS(X) TABLES(X) CALLS(X) MADE(X) OF_FILE(X)

/* And sizes, which are told where they are decided. */
#define SIZES(X) \
    X(short_line) X(long_line) X(bypass) X(begins) X(piece) X(many) X(long_tail) X(name_size) X(reply_size) X(part_size)
#define MARKS(X) X(words) X(sign)

typedef struct {
    PyObject_HEAD
#define X(name) PyObject *name;
    THINGS(X)
#undef X
#define X(name) uint64_t name;
    SIZES(X) MARKS(X)
#undef X
} Direct;

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

/* One line. What is pointed to is held until it is done with. */
typedef struct {
    PyObject *first_held[HELD], **held;
    Py_ssize_t held_count, held_room;
    PyObject *line;
    const char *data;
    Py_ssize_t size, start, past, end;
    PyObject *heard, *conversation; /* or NULL */
    PyObject *around, *lead, *kind;
    uint64_t thread, exact;
    PyObject *known, *read_from[2]; /* what its key tells; how it was read */
    PyObject *shape, *values, *tail; /* of the contents that were not heard; as they are written */
    Py_ssize_t first, count, begin; /* the first of these in the tail, how many; and how many come before */
    uint64_t hashes[MOST], chain[MOST];
    PyObject *saying, *said, *signatures; /* what the reply tells, its values, and numbers for its signatures */
    int events, one, text, inner, lines; /* a stream; of one reply; in texts; in lines of our own log */
    uint64_t sign;
    PyObject *telling, *how, *called, *toolbox, *found;
    uint64_t asked[MOST], signs[MOST];
    int asked_count, signs_count;
    PyObject *chains[MOST]; /* the numbers as Python has them */
    PyObject *words; /* the last, as they are kept */
    Py_ssize_t words_size;
} Line;

static PyObject *hold(Line *l, PyObject *one)
{
    if (one == NULL)
        return NULL;
    if (l->held_count == l->held_room) {
        int first = l->held == l->first_held;
        PyObject **more = PyMem_Realloc(first ? NULL : l->held, 2 * l->held_room * sizeof(PyObject *));
        if (more == NULL) {
            Py_DECREF(one);
            return PyErr_NoMemory();
        }
        if (first)
            memcpy(more, l->first_held, sizeof(l->first_held));
        l->held = more;
        l->held_room *= 2;
    }
    return l->held[l->held_count++] = one;
}

/* Where things of a type have an attribute, if they have a slot for it (else 0). Of each name those asked for first. */
typedef struct {
    PyTypeObject *type;
    Py_ssize_t offset;
} Slot;

enum { TYPES = 6 };
static Slot slots[N_COUNT][TYPES];

static Py_ssize_t found_slot(PyTypeObject *type, int name, Slot *slot)
{
    Py_ssize_t offset = 0;
    PyObject *one = PyObject_GetAttr((PyObject *)type, names[name]);
    if (one == NULL) {
        PyErr_Clear();
    } else if (Py_IS_TYPE(one, &PyMemberDescr_Type)) {
        const PyMemberDef *member = ((PyMemberDescrObject *)one)->d_member;
        offset = member->type == T_OBJECT_EX ? member->offset : 0;
    }
    Py_XDECREF(one);
    if (slot != NULL)
        *slot = (Slot){(PyTypeObject *)Py_NewRef(type), offset};
    return offset;
}

static PyObject **slot_of(PyObject *of, int name)
{
    PyTypeObject *type = Py_TYPE(of);
    Slot *slot = slots[name], *end = slot + TYPES;
    while (slot < end && slot->type != type && slot->type != NULL)
        slot++;
    Py_ssize_t offset =
        slot < end && slot->type == type ? slot->offset : found_slot(type, name, slot < end ? slot : NULL);
    return offset ? (PyObject **)((char *)of + offset) : NULL;
}

static PyObject *attribute(PyObject *of, int name)
{
    PyObject **slot = slot_of(of, name);
    return slot == NULL || *slot == NULL ? PyObject_GetAttr(of, names[name]) : Py_NewRef(*slot);
}

static PyObject *get(Line *l, PyObject *of, int name)
{
    return hold(l, attribute(of, name));
}

static int number(PyObject *one, uint64_t *value)
{
    *value = PyLong_AsUnsignedLongLongMask(one);
    return *value == (uint64_t)-1 && PyErr_Occurred() ? -1 : 0;
}

static int number_of(PyObject *of, int name, uint64_t *value)
{
    PyObject *one = attribute(of, name);
    int failed = one == NULL || number(one, value) < 0;
    Py_XDECREF(one);
    return failed ? -1 : 0;
}

static int set(PyObject *of, int name, PyObject *value)
{
    if (value == NULL)
        return -1;
    PyObject **slot = slot_of(of, name);
    if (slot == NULL || (PyType_IS_GC(Py_TYPE(of)) && !PyObject_GC_IsTracked(of)))
        return PyObject_SetAttr(of, names[name], value);
    Py_XSETREF(*slot, Py_NewRef(value));
    return 0;
}

static int set_number(PyObject *of, int name, uint64_t value)
{
    PyObject *one = PyLong_FromUnsignedLongLong(value);
    int failed = set(of, name, one);
    Py_XDECREF(one);
    return failed;
}

static PyObject *key_of(Line *l, uint64_t value)
{
    return hold(l, PyLong_FromUnsignedLongLong(value));
}

/* Whether something is in a table. */
static int there(PyObject *table, PyObject *key)
{
    return PyDict_GetItemWithError(table, key) != NULL;
}

/* What stands at one of these places among the values. */
static PyObject *at(PyObject *values, PyObject *places, Py_ssize_t n)
{
    Py_ssize_t place = PyLong_AsSsize_t(PyTuple_GET_ITEM(places, n));
    return place < 0 || place >= PyTuple_GET_SIZE(values) ? NULL : PyTuple_GET_ITEM(values, place);
}

static PyObject *called_with(Line *l, PyObject *call, PyObject *one, PyObject *two)
{
    PyObject *args[] = {one, two};
    return hold(l, PyObject_Vectorcall(call, args, two == NULL ? 1 : 2, NULL));
}

/* Looking it up. These functions give 0, or -1 where the line is not taken; those that are asked whether something is
   so give 1 or 0. What they change, such as what is idle, changes nothing that Python will do with the line. */

/* The history: Lane._heard */

static int goes_on(Line *l, PyObject *heard)
{
    uint64_t length;
    PyObject *known = get(l, heard, N_known);
    l->heard = hold(l, Py_NewRef(heard));
    l->conversation = known == NULL ? NULL : get(l, known, N_conversation);
    if (l->conversation == NULL || number_of(known, N_chain, &l->chain[0]) < 0 ||
        number_of(heard, N_length, &length) < 0)
        return -1;
    l->past = (Py_ssize_t)length;
    return 0;
}

static int heard_before(Direct *d, Line *l)
{
    if (l->size <= (Py_ssize_t)d->short_line)
        return 0;
    PyObject *start = called_with(l, d->beginning, l->line, NULL);
    Py_ssize_t at = start == NULL ? -1 : PyLong_AsSsize_t(start);
    if (at < 0)
        return PyErr_Occurred() ? -1 : 0;
    l->start = at;
    if (l->size - at <= (Py_ssize_t)d->short_line)
        return 0;
    PyObject *args[] = {d->prefixes, l->line, start};
    PyObject *heard = hold(l, PyObject_VectorcallMethod(names[N_find], args, 3, NULL));
    return heard == NULL ? -1 : heard == Py_None ? 0 : goes_on(l, heard);
}

/* The pieces of the line: Cutter.cut */

static int cut(Direct *d, Line *l, PyObject **chunks, PyObject **stream)
{
    if (l->size - l->past > (Py_ssize_t)d->long_line)
        return -1;
    PyObject *args[] = {l->line, key_of(l, 0), key_of(l, (uint64_t)l->start), key_of(l, (uint64_t)l->past)};
    l->read_from[0] = args[2];
    l->read_from[1] = args[3];
    if (args[1] == NULL || args[2] == NULL || args[3] == NULL)
        return -1;
    PyObject *all = hold(l, PyObject_Vectorcall(d->recognise, args, 4, NULL));
    if (all == NULL || all == Py_None)
        return -1;
    PyObject *key = PyTuple_GET_ITEM(all, 0), *values = PyTuple_GET_ITEM(all, 1);
    l->tail = PyTuple_GET_ITEM(all, 2);
    l->end = PyLong_AsSsize_t(PyTuple_GET_ITEM(all, 3));
    PyObject *known = PyDict_GetItemWithError(d->lines, key);
    l->known = known == NULL ? NULL : hold(l, Py_NewRef(known));
    PyObject *setting = l->known == NULL ? NULL : get(l, known, N_setting);
    if (setting == NULL || setting == Py_None || !PyList_Check(l->tail))
        return -1;
    PyObject *stamp = get(l, known, N_tools);
    uint64_t contents, reply, tools;
    if (stamp == NULL || number_of(known, N_contents, &contents) < 0 || number_of(known, N_reply, &reply) < 0)
        return -1;
    if (stamp == Py_None)
        stamp = key_of(l, 0);
    else
        stamp = number(stamp, &tools) < 0 ? NULL : PyTuple_GET_ITEM(values, (Py_ssize_t)tools);
    PyObject *both = stamp == NULL ? NULL : hold(l, PyTuple_Pack(2, key, stamp));
    if (both == NULL)
        return -1;
    PyObject *around = PyDict_GetItemWithError(d->arounds, both);
    if (around == NULL) {
        PyObject *args[] = {key, known, values, l->line};
        PyObject *found = hold(l, PyObject_Vectorcall(d->surrounded, args, 4, NULL));
        around = found == NULL ? NULL : PyTuple_GET_ITEM(found, 0);
    }
    if (around == NULL || (l->around = hold(l, Py_NewRef(around))) == NULL)
        return -1;
    /* Tools that were let go Python makes again; those that are there are not idle. */
    PyObject *digest = get(l, l->around, N_tools);
    if (digest == NULL || !there(d->toolboxes, digest) ||
        hold(l, PyObject_CallMethodOneArg(d->toolboxes, names[N_move_to_end], digest)) == NULL)
        return -1;
    PyObject *form = PyTuple_GET_ITEM(values, (Py_ssize_t)contents);
    l->shape = PyTuple_GET_ITEM(form, 0);
    l->values = PyTuple_GET_ITEM(form, 1);
    l->count = PyList_GET_SIZE(l->tail);
    *chunks = PyTuple_GET_ITEM(values, (Py_ssize_t)reply);
    *stream = get(l, known, N_stream);
    return l->count == 0 || l->count > MOST || *stream == NULL ? -1 : 0;
}

/* What is said, as numbers: words_of and sign in talk/reply.py */

static PyObject *joined(Line *l, PyObject *values, PyObject *places, PyObject *between)
{
    if (PyTuple_GET_SIZE(places) == 1)
        return at(values, places, 0);
    if (PyTuple_GET_SIZE(places) == 0)
        return hold(l, PyUnicode_New(0, 0));
    PyObject *list = hold(l, PyList_New(PyTuple_GET_SIZE(places)));
    if (list == NULL)
        return NULL;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(places); n++) {
        PyObject *one = at(values, places, n);
        if (one == NULL)
            return NULL;
        PyList_SET_ITEM(list, n, Py_NewRef(one));
    }
    return hold(l, PyUnicode_Join(between, list));
}

static int hashed(PyObject *one, uint64_t *value)
{
    Py_hash_t hash = one == NULL ? -1 : PyObject_Hash(one);
    *value = (uint64_t)hash;
    return hash == -1 ? -1 : 0;
}

static int words_of(Direct *d, Line *l, PyObject *values, PyObject *places, uint64_t *words)
{
    *words = 0;
    return PyTuple_GET_SIZE(places) == 0 ? 0 : hashed(joined(l, values, places, d->newline), words);
}

static int sign_of(Direct *d, Line *l, PyObject *values, PyObject *texts, PyObject *ids, uint64_t *sign)
{
    *sign = 0;
    if (PyTuple_GET_SIZE(texts)) {
        PyObject *text = at(values, texts, 0);
        if (text != NULL && PyUnicode_GET_LENGTH(text) < (Py_ssize_t)d->begins)
            text = joined(l, values, texts, d->nothing);
        return hashed(text == NULL ? NULL : hold(l, PyUnicode_Substring(text, 0, (Py_ssize_t)d->begins)), sign);
    }
    if (PyTuple_GET_SIZE(ids) == 0)
        return 0;
    PyObject *id = at(values, ids, 0);
    return id == NULL ? -1 : PyUnicode_GET_LENGTH(id) ? hashed(id, sign) : 0;
}

/* Whether none of them may be a text that stands in for a signature. */
static int real(Direct *d, PyObject *values, PyObject *places)
{
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(places); n++) {
        PyObject *one = at(values, places, n);
        if (one == NULL || PyBytes_GET_SIZE(one) < (Py_ssize_t)d->bypass)
            return 0;
    }
    return 1;
}

/* The reply: Replies.said */

static int together(Line *l, PyObject *chunks, PyObject **shape)
{
    Py_ssize_t count = PyList_GET_SIZE(chunks), places = 0;
    if (count == 1) {
        *shape = PyTuple_GET_ITEM(PyList_GET_ITEM(chunks, 0), 0);
        l->said = PyTuple_GET_ITEM(PyList_GET_ITEM(chunks, 0), 1);
        return 0;
    }
    for (Py_ssize_t n = 0; n < count; n++)
        places += PyTuple_GET_SIZE(PyTuple_GET_ITEM(PyList_GET_ITEM(chunks, n), 1));
    *shape = hold(l, PyTuple_New(count));
    l->said = hold(l, PyTuple_New(places));
    if (*shape == NULL || l->said == NULL)
        return -1;
    places = 0;
    for (Py_ssize_t n = 0; n < count; n++) {
        PyObject *one = PyList_GET_ITEM(chunks, n), *values = PyTuple_GET_ITEM(one, 1);
        PyTuple_SET_ITEM(*shape, n, Py_NewRef(PyTuple_GET_ITEM(one, 0)));
        for (Py_ssize_t m = 0; m < PyTuple_GET_SIZE(values); m++)
            PyTuple_SET_ITEM(l->said, places++, Py_NewRef(PyTuple_GET_ITEM(values, m)));
    }
    return 0;
}

/* The number of a signature: digest_of in talk/piece.py, for those that have no bits that say nothing. */
static PyObject *digest_of(Direct *d, Line *l, PyObject *written)
{
    static const char *const LAST[] = {NULL, NULL, "AQgw", "AEIMQUYcgkosw048"};
    Py_ssize_t size = PyBytes_GET_SIZE(written);
    const char *p = PyBytes_AS_STRING(written);
    while (size && p[size - 1] == '=')
        size--;
    if (size == PyBytes_GET_SIZE(written))
        return called_with(l, d->hash64, written, NULL);
    if (size == 0 || LAST[size % 4] == NULL || strchr(LAST[size % 4], p[size - 1]) == NULL)
        return NULL;
    PyObject *plain = hold(l, PyBytes_FromStringAndSize(p, size));
    return plain == NULL ? NULL : called_with(l, d->hash64, plain, NULL);
}

static int signatures_of(Direct *d, Line *l)
{
    PyObject *signed_at = get(l, l->saying, N_signed);
    if (signed_at == NULL || !real(d, l->said, signed_at) || (l->signatures = hold(l, PyList_New(0))) == NULL)
        return -1;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(signed_at); n++) {
        PyObject *digest = digest_of(d, l, at(l->said, signed_at, n));
        if (digest == NULL || PyList_Append(l->signatures, digest) < 0)
            return -1;
    }
    return 0;
}

static int replied(Direct *d, Line *l, PyObject *chunks, PyObject *stream)
{
    PyObject *shape;
    l->text = stream != Py_None;
    l->events = stream == Py_True;
    if (stream == Py_None) {
        shape = PyTuple_GET_ITEM(chunks, 0);
        l->said = PyTuple_GET_ITEM(chunks, 1);
    } else if (together(l, chunks, &shape) < 0) {
        return -1;
    }
    PyObject *saying = PyDict_GetItemWithError(d->sayings, shape);
    if (saying == NULL) {
        PyObject *args[] = {shape, l->known, l->line, l->read_from[0], l->read_from[1]};
        saying = hold(l, PyObject_Vectorcall(d->new_saying, args, 5, NULL));
    }
    if (saying == NULL || (l->saying = hold(l, Py_NewRef(saying))) == NULL || signatures_of(d, l) < 0)
        return -1;
    PyObject *ids = get(l, saying, N_ids), *texts = get(l, saying, N_texts), *id = get(l, saying, N_id);
    if (ids == NULL || texts == NULL || id == NULL)
        return -1;
    l->one = 1;
    for (Py_ssize_t n = 1; n < PyTuple_GET_SIZE(ids); n++) {
        PyObject *first = at(l->said, ids, 0), *other = at(l->said, ids, n);
        if (first == NULL || other == NULL)
            return -1;
        l->one &= PyUnicode_Compare(first, other) == 0;
    }
    return sign_of(d, l, l->said, texts, id, &l->sign);
}

/* Whose it is: Lane._known */

/* The hash of these bytes, going on from another number where there is one. */
static PyObject *hash_of(Direct *d, PyObject *bytes, PyObject *before)
{
    PyObject *args[] = {bytes, before};
    return bytes == NULL ? NULL : PyObject_Vectorcall(d->hash64, args, before == NULL ? 1 : 2, NULL);
}

static int chained(Direct *d, Line *l, uint64_t before)
{
    PyObject *link = key_of(l, before);
    for (Py_ssize_t n = 0; n < l->count; n++) {
        unsigned char little[8];
        PyObject *hash = hash_of(d, PyList_GET_ITEM(l->tail, n), NULL);
        int failed = link == NULL || hash == NULL || number(hash, &l->hashes[n]) < 0;
        Py_XDECREF(hash);
        if (failed)
            return -1;
        for (int m = 0; m < 8; m++)
            little[m] = (unsigned char)(l->hashes[n] >> 8 * m);
        PyObject *bytes = PyBytes_FromStringAndSize((char *)little, 8);
        link = l->chains[n] = hold(l, hash_of(d, bytes, link));
        Py_XDECREF(bytes);
        if (link == NULL || number(link, &l->chain[n]) < 0)
            return -1;
    }
    return 0;
}

/* The two tables of an Index, or of a Memory. */
typedef struct {
    PyObject *of, *lately, *before;
} Index;

static int index_of(Line *l, PyObject *of, Index *index)
{
    index->of = of;
    index->lately = of == NULL ? NULL : get(l, of, N__lately);
    index->before = of == NULL ? NULL : get(l, of, N__before);
    return index->lately == NULL || index->before == NULL ? -1 : 0;
}

/* Under a number there may be one conversation in two tables, or several in one. */
static PyObject *alone(const Index *index, PyObject *key)
{
    PyObject *one = PyDict_GetItemWithError(index->lately, key), *other = PyDict_GetItemWithError(index->before, key);
    if (one != NULL && other != NULL)
        return NULL;
    one = one == NULL ? other : one;
    return one == NULL || PyDict_Check(one) ? NULL : one;
}

static int holds(const Index *index, PyObject *key)
{
    return there(index->lately, key) || there(index->before, key);
}

/* The contents that are new, as a list. */
static PyObject *written(Line *l)
{
    Py_ssize_t size = 1;
    for (Py_ssize_t n = l->first; n < l->count; n++)
        size += 1 + PyBytes_GET_SIZE(PyList_GET_ITEM(l->tail, n));
    PyObject *list = hold(l, PyBytes_FromStringAndSize(NULL, size));
    if (list == NULL)
        return NULL;
    char *p = PyBytes_AS_STRING(list);
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        PyObject *one = PyList_GET_ITEM(l->tail, n);
        *p++ = n == l->first ? '[' : ',';
        memcpy(p, PyBytes_AS_STRING(one), PyBytes_GET_SIZE(one));
        p += PyBytes_GET_SIZE(one);
    }
    *p = ']';
    return list;
}

static int read_again(Direct *d, Line *l)
{
    PyObject *list = written(l), *form = list == NULL ? NULL : called_with(l, d->recognise_contents, list, NULL);
    if (form == NULL || form == Py_None)
        return -1;
    l->shape = PyTuple_GET_ITEM(form, 0);
    l->values = PyTuple_GET_ITEM(form, 1);
    return 0;
}

static int whose(Direct *d, Line *l, const Index *stood)
{
    uint64_t chain = l->thread;
    if (l->heard != NULL && (number_of(l->conversation, N_chain, &chain) < 0 || chain != l->chain[0]))
        return -1;
    if (chained(d, l, chain) < 0)
        return -1;
    if (l->heard == NULL) {
        Py_ssize_t n = l->count - 1;
        while (n >= 0 && !holds(stood, l->chains[n]))
            n--;
        if (n == l->count - 1)
            return -1; /* nothing is new */
        if (n < 0)
            return 0;
        PyObject *one = alone(stood, l->chains[n]);
        if (one == NULL)
            return -1;
        l->conversation = hold(l, Py_NewRef(one));
        l->first = n + 1;
        if (read_again(d, l) < 0)
            return -1;
    }
    PyObject *sound = get(l, l->conversation, N_sound), *hashes = get(l, l->conversation, N_hashes);
    l->begin = hashes == NULL ? -1 : PyObject_Size(hashes);
    return sound == NULL || l->begin < 0 || PyObject_RichCompareBool(sound, l->kind, Py_EQ) != 1 ? -1 : 0;
}

static int around(Direct *d, Line *l)
{
    if ((l->lead = get(l, l->around, N_lead)) == NULL || (l->kind = get(l, l->lead, N_kind)) == NULL)
        return -1;
    return number_of(l->kind, N_thread, &l->thread) < 0 || number_of(l->kind, N_exact, &l->exact) < 0 ? -1 : 0;
}

/* An alias stands for the model that replied last. */
static int meant(Direct *d, Line *l)
{
    PyObject *alias = get(l, l->lead, N_alias);
    if (alias != Py_True || l->conversation == NULL)
        return alias == NULL ? -1 : 0;
    PyObject *model = get(l, l->conversation, N_model);
    l->around = model == NULL ? NULL : called_with(l, d->known_as, l->around, model);
    return l->around == NULL ? -1 : around(d, l);
}

/* What its contents tell: Histories.told */

static int numbers_of(Direct *d, Line *l, PyObject *telling)
{
    PyObject *asked = get(l, telling, N_asked), *said = get(l, telling, N_said);
    if (asked == NULL || said == NULL || PyTuple_GET_SIZE(asked) > MOST || PyTuple_GET_SIZE(said) > MOST)
        return -1;
    for (; l->asked_count < PyTuple_GET_SIZE(asked); l->asked_count++)
        if (words_of(d, l, l->values, PyTuple_GET_ITEM(asked, l->asked_count), &l->asked[l->asked_count]) < 0)
            return -1;
    for (; l->signs_count < PyTuple_GET_SIZE(said); l->signs_count++) {
        PyObject *both = PyTuple_GET_ITEM(said, l->signs_count);
        if (sign_of(d, l, l->values, PyTuple_GET_ITEM(both, 0), PyTuple_GET_ITEM(both, 1), &l->signs[l->signs_count]) <
            0)
            return -1;
    }
    return 0;
}

/* What one of these places says; where there is none it says that itself. */
static PyObject *says(PyObject *place, PyObject *values)
{
    if (!PyLong_Check(place))
        return place;
    Py_ssize_t n = PyLong_AsSsize_t(place);
    return n < 0 || n >= PyTuple_GET_SIZE(values) ? NULL : PyTuple_GET_ITEM(values, n);
}

static int same(PyObject *one, PyObject *other)
{
    return one != NULL && other != NULL && (one == other || PyObject_RichCompareBool(one, other, Py_EQ) == 1);
}

/* The same arguments, in whichever way they are written. */
static int same_given(Direct *d, Line *l, PyObject *one, PyObject *other)
{
    if (one == NULL || other == NULL || same(one, other))
        return one != NULL && other != NULL;
    return same(called_with(l, d->decode, one, NULL), called_with(l, d->decode, other, NULL));
}

/* Whether a stretch of what was said is recited by this one, and (`named`) whether a call has got an id by it. */
static int same_stretch(Direct *d, Line *l, PyObject *mine, PyObject *spoken, PyObject *theirs, int *named)
{
    PyObject *name = get(l, mine, N_name), *others = get(l, theirs, N_name);
    PyObject *said = get(l, mine, N_says), *recited = get(l, theirs, N_says);
    PyObject *id = get(l, mine, N_id), *own = get(l, theirs, N_id);
    PyObject *signed_at = get(l, mine, N_signature), *there = get(l, theirs, N_signature);
    if (name == NULL || others == NULL || said == NULL || recited == NULL || id == NULL || own == NULL ||
        signed_at == NULL || there == NULL || !same(says(signed_at, spoken), says(there, l->values)))
        return 0;
    if (name == Py_None)
        return others == Py_None && same(id, own) &&
               same(joined(l, spoken, said, d->nothing), joined(l, l->values, recited, d->nothing));
    if (!same(says(name, spoken), says(others, l->values)) || PyTuple_GET_SIZE(said) != PyTuple_GET_SIZE(recited))
        return 0;
    if (PyTuple_GET_SIZE(said) && !same_given(d, l, at(spoken, said, 0), at(l->values, recited, 0)))
        return 0;
    if (same(says(id, spoken), says(own, l->values)))
        return 1;
    *named = 1;
    return id == Py_None;
}

/* How the reply before is recited: word for word, or with ids that the client added. */
static int recited(Direct *d, Line *l, PyObject *recites)
{
    PyObject *reply = get(l, l->conversation, N_reply);
    if (reply == NULL || Py_TYPE(reply) != (PyTypeObject *)d->reply)
        return -1;
    PyObject *saying = get(l, reply, N__saying), *spoken = get(l, reply, N__values);
    PyObject *said = saying == NULL || saying == Py_None ? NULL : get(l, saying, N_outline);
    PyObject *mine = said == NULL || said == Py_None ? NULL : get(l, said, N_stretches);
    PyObject *theirs = get(l, recites, N_stretches), *how = mine == NULL ? NULL : get(l, said, N_same);
    if (mine == NULL || theirs == NULL || spoken == NULL || how == NULL ||
        PyTuple_GET_SIZE(mine) != PyTuple_GET_SIZE(theirs))
        return -1;
    int named = 0;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(mine); n++)
        if (!same_stretch(d, l, PyTuple_GET_ITEM(mine, n), spoken, PyTuple_GET_ITEM(theirs, n), &named))
            return -1;
    if (named) {
        PyObject *first = hold(l, PyTuple_Pack(1, names[N_named])),
                 *rest = hold(l, PyTuple_GetSlice(how, 1, PY_SSIZE_T_MAX));
        how = first == NULL || rest == NULL ? NULL : hold(l, PySequence_Concat(first, rest));
    }
    return (l->how = how) == NULL ? -1 : 0;
}

/* The functions called so far, with those that are called here for the first time. All are declared. */
static int functions(Direct *d, Line *l, PyObject *before, PyObject *calls)
{
    PyObject *declared = get(l, l->toolbox, N_names);
    PyObject *seen = PyTuple_GET_SIZE(calls) ? hold(l, PySet_New(NULL)) : Py_None;
    if (declared == NULL || seen == NULL)
        return -1;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(before); n++) {
        PyObject *name = get(l, PyTuple_GET_ITEM(before, n), N_name);
        if (name == NULL || !there(declared, name) || (seen != Py_None && PySet_Add(seen, name) < 0))
            return -1;
    }
    l->called = before;
    if (seen == Py_None)
        return 0;
    PyObject *all = hold(l, PySequence_List(before));
    if (all == NULL)
        return -1;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(calls); n++) {
        PyObject *call = PyTuple_GET_ITEM(calls, n);
        PyObject *name = PyLong_Check(PyTuple_GET_ITEM(call, 0)) ? at(l->values, call, 0) : NULL;
        int known = name == NULL || !there(declared, name) ? -1 : PySet_Contains(seen, name);
        if (known < 0)
            return -1;
        if (known)
            continue;
        Py_ssize_t turn = l->begin + PyLong_AsSsize_t(PyTuple_GET_ITEM(call, 1));
        PyObject *inside = PyTuple_Pack(2, names[N_parts], PyTuple_GET_ITEM(call, 2));
        PyObject *args[] = {name, hold(l, PyLong_FromSsize_t(turn)), hold(l, inside)};
        if (args[1] == NULL || args[2] == NULL)
            return -1;
        PyObject *named = hold(l, PyObject_Vectorcall(d->named, args, 3, NULL));
        if (named == NULL || PyList_Append(all, named) < 0 || PySet_Add(seen, name) < 0)
            return -1;
    }
    if (PyList_GET_SIZE(all) > PyTuple_GET_SIZE(before))
        l->called = hold(l, PyList_AsTuple(all));
    return l->called == NULL ? -1 : 0;
}

static int told(Direct *d, Line *l)
{
    PyObject *state = l->conversation == NULL ? Py_None : get(l, l->conversation, N_state);
    PyObject *both = state == NULL ? NULL : hold(l, PyTuple_Pack(2, state, l->shape));
    PyObject *telling = both == NULL ? NULL : PyDict_GetItemWithError(d->tellings, both);
    if (telling == NULL && both != NULL) {
        PyObject *args[] = {state, l->shape, written(l)};
        telling = args[2] == NULL ? NULL : PyObject_Vectorcall(d->new_telling, args, 3, NULL);
        telling = hold(l, telling);
    }
    if (telling == NULL || (l->telling = hold(l, Py_NewRef(telling))) == NULL || numbers_of(d, l, telling) < 0)
        return -1;
    PyObject *signed_at = get(l, telling, N_signed), *recites = get(l, telling, N_recites);
    if (signed_at == NULL || recites == NULL || !real(d, l->values, signed_at))
        return -1;
    l->how = hold(l, PyTuple_New(0));
    if (recites != Py_None && l->conversation != NULL && recited(d, l, recites) < 0)
        return -1;
    PyObject *before = l->conversation == NULL ? hold(l, PyTuple_New(0)) : get(l, l->conversation, N_called);
    PyObject *calls = get(l, telling, N_called), *made = get(l, l->saying, N_called);
    if (l->how == NULL || before == NULL || calls == NULL || made == NULL)
        return -1;
    l->called = before;
    if (PyTuple_GET_SIZE(before) + PyTuple_GET_SIZE(calls) + PyTuple_GET_SIZE(made)) {
        PyObject *tools = get(l, l->around, N_tools);
        PyObject *held = tools == NULL ? NULL : PyDict_GetItemWithError(d->toolboxes, tools);
        l->toolbox = held == NULL ? NULL : hold(l, Py_NewRef(PyTuple_GET_ITEM(held, 0)));
        if (l->toolbox == NULL)
            return -1;
    }
    return PyTuple_GET_SIZE(before) + PyTuple_GET_SIZE(calls) ? functions(d, l, before, calls) : 0;
}

/* Whether the calls of the reply are of functions that are declared, with what these may be given. */
static int fit(Direct *d, Line *l)
{
    PyObject *calls = get(l, l->saying, N_called);
    if (calls == NULL)
        return 0;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(calls); n++) {
        PyObject *call = PyTuple_GET_ITEM(calls, n), *place = PyTuple_GET_ITEM(call, 1);
        PyObject *name = PyLong_Check(PyTuple_GET_ITEM(call, 0)) ? at(l->said, call, 0) : NULL;
        PyObject *given =
            PyLong_Check(place) ? called_with(l, d->decode, at(l->said, call, 1), NULL) : hold(l, PyDict_New());
        if (name == NULL || given == NULL)
            return 0;
        PyObject *args[] = {l->toolbox, name, given};
        if (hold(l, PyObject_VectorcallMethod(names[N_fits], args, 3, NULL)) != Py_True)
            return 0;
    }
    return 1;
}

/* What is found in these forms, if they were judged: Judgements.found, Noting.new */

static int add_found(Line *l, PyObject *place, PyObject *findings)
{
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(findings); n++) {
        PyObject *both = hold(l, PyTuple_Pack(2, place, PyTuple_GET_ITEM(findings, n)));
        if (both == NULL || PyList_Append(l->found, both) < 0)
            return -1;
    }
    return 0;
}

/* What is found in the parts that name functions hangs on the name. */
static int found_in_parts(Direct *d, Line *l, PyObject *parts, PyObject *of, PyObject *values)
{
    PyObject *named = get(l, of, N_named);
    for (Py_ssize_t n = 0; n < PyList_GET_SIZE(parts); n++) {
        PyObject *part = PyList_GET_ITEM(parts, n), *piece = PyTuple_GET_ITEM(PyTuple_GET_ITEM(part, 2), 0);
        Py_ssize_t which = PyLong_AsSsize_t(PyTuple_GET_ITEM(part, 1));
        if (named == NULL || which < 0 || which >= PyTuple_GET_SIZE(named))
            return -1;
        PyObject *name = says(PyTuple_GET_ITEM(PyTuple_GET_ITEM(named, which), 2), values);
        PyObject *first = name == NULL ? NULL : hold(l, PyTuple_Pack(1, name));
        PyObject *form = first == NULL ? NULL : hold(l, PySequence_Concat(first, piece));
        PyObject *findings = form == NULL ? NULL : PyDict_GetItemWithError(d->sound, form);
        if (findings == NULL || add_found(l, PyTuple_GET_ITEM(part, 0), findings) < 0)
            return -1;
    }
    return 0;
}

/* What is known of this form, and the parts of which more is told. Where it is new, Python puts it together. */
static PyObject *known_form(Direct *d, Line *l, PyObject *form, PyObject *judge, PyObject *of[4], PyObject **parts)
{
    PyObject *judged = form == NULL ? NULL : PyDict_GetItemWithError(d->whole, form);
    if (judged == NULL && form != NULL)
        judged = hold(l, PyObject_Vectorcall(judge, of, 4, NULL));
    PyObject *found = judged == NULL || judged == Py_None ? NULL : get(l, judged, N_found);
    *parts = found == NULL ? NULL : get(l, judged, N_parts);
    for (Py_ssize_t n = 0; found != NULL && n < PyList_GET_SIZE(found); n++)
        if (PyList_Append(l->found, PyList_GET_ITEM(found, n)) < 0)
            return NULL;
    return *parts == NULL ? NULL : found;
}

/* Where something is found that is noted with a content: which of these it is; -1 where it is none. */
static Py_ssize_t stands(Direct *d, Line *l, PyObject *place)
{
    if (PyObject_RichCompareBool(place, d->ending, Py_EQ) == 1)
        return l->count - l->first - 1;
    return PyLong_AsSsize_t(PyTuple_GET_ITEM(place, 0));
}

/* Whether none of it may be what was noted of something else before. */
static int all_new(Direct *d, Line *l)
{
    PyObject *notes = l->conversation == NULL ? Py_None : get(l, l->conversation, N_notes);
    uint64_t dropped;
    if (notes == Py_None)
        return 1;
    if (notes == NULL || number_of(l->conversation, N_dropped, &dropped) < 0)
        return 0;
    for (Py_ssize_t n = 0; n < PyList_GET_SIZE(l->found); n++) {
        PyObject *both = PyList_GET_ITEM(l->found, n), *mark = get(l, PyTuple_GET_ITEM(both, 1), N_fingerprint);
        Py_ssize_t at = stands(d, l, PyTuple_GET_ITEM(both, 0));
        PyObject *noted = at < 0 || mark == NULL ? NULL : PyDict_GetItemWithError(notes, mark);
        if (noted == NULL)
            continue;
        PyObject *args[] = {noted, key_of(l, l->hashes[l->first + at]), key_of(l, (uint64_t)(l->begin + at) + dropped)};
        if (args[1] == NULL || args[2] == NULL)
            return 0;
        PyObject *alike = hold(l, PyObject_VectorcallMethod(names[N_alike], args, 3, NULL));
        if (alike == NULL || PyList_GET_SIZE(alike))
            return 0;
    }
    return PyErr_Occurred() == NULL;
}

static int judged(Direct *d, Line *l)
{
    PyObject *form = get(l, l->around, N_form), *sound = form == NULL ? NULL : PyDict_GetItemWithError(d->sound, form);
    if (form != NULL && sound == NULL)
        sound = called_with(l, d->of_around, l->around, NULL);
    if (sound == NULL || sound == Py_None || hold(l, Py_NewRef(sound)) == NULL ||
        (l->found = hold(l, PyList_New(0))) == NULL)
        return -1;
    PyObject *contents = get(l, l->lead, N_contents), *reply = get(l, l->lead, N_reply);
    PyObject *asked = get(l, l->telling, N_number), *said = get(l, l->saying, N_number);
    if (contents == NULL || reply == NULL || asked == NULL || said == NULL)
        return -1;
    PyObject *events = l->events ? Py_True : Py_False, *one = l->one ? Py_True : Py_False, *parts, *others;
    PyObject *of_contents[] = {l->lead, l->telling, l->how, Py_None}, *of_reply[] = {l->lead, l->saying, events, one};
    PyObject *form_asked = hold(l, PyTuple_Pack(4, contents, asked, l->how, Py_None));
    PyObject *form_replied = hold(l, PyTuple_Pack(4, reply, said, events, one));
    if (known_form(d, l, form_asked, d->new_asked, of_contents, &parts) == NULL ||
        known_form(d, l, form_replied, d->new_replied, of_reply, &others) == NULL ||
        found_in_parts(d, l, parts, l->telling, l->values) < 0 || found_in_parts(d, l, others, l->saying, l->said) < 0)
        return -1;
    if (add_found(l, d->surrounding, sound) < 0)
        return -1;
    return PyList_GET_SIZE(l->found) && !all_new(d, l) ? -1 : 0;
}

/* Whether it can be of no other conversation: Threads.fresh and extends, Talk._unheard */

/* Adds a conversation to those under a number. */
static int list_under(PyObject *rows, PyObject *key, PyObject *conversation)
{
    PyObject *row = PyDict_SetDefault(rows, key, conversation);
    if (row == NULL || row == conversation)
        return row == NULL ? -1 : 0;
    PyObject *name = attribute(conversation, N_name);
    PyObject *other = PyDict_Check(row) || name == NULL ? NULL : attribute(row, N_name);
    int failed = name == NULL;
    if (other != NULL) {
        PyObject *several = PyDict_New();
        failed = several == NULL || PyDict_SetItem(several, other, row) < 0 || PyDict_SetItem(rows, key, several) < 0;
        Py_XDECREF(several); /* the table holds it */
        row = several;
    }
    failed = failed || PyErr_Occurred() || PyDict_SetItem(row, name, conversation) < 0;
    Py_XDECREF(name);
    Py_XDECREF(other);
    return failed ? -1 : 0;
}

/* The marks of a conversation; how many. */
static int marks(Direct *d, PyObject *conversation, uint64_t all[3])
{
    uint64_t kind, words, sign, last;
    PyObject *hashes = attribute(conversation, N_hashes);
    PyObject *one = hashes == NULL ? NULL : PySequence_GetItem(hashes, PyObject_Size(hashes) - 1);
    int failed = one == NULL || number(one, &last) < 0 || number_of(conversation, N_kind, &kind) < 0 ||
                 number_of(conversation, N_words, &words) < 0 || number_of(conversation, N_sign, &sign) < 0;
    Py_XDECREF(hashes);
    Py_XDECREF(one);
    if (failed)
        return -1;
    all[0] = kind ^ last;
    all[1] = kind ^ words ^ d->words;
    all[2] = kind ^ sign ^ d->sign;
    return sign ? 3 : 2;
}

/* Those that were put off are put in: Threads._by_marks */
static int put_in(Direct *d, Line *l, PyObject *late, PyObject *rows)
{
    Py_ssize_t at = 0;
    PyObject *one;
    uint64_t all[3];
    if (late == NULL || rows == NULL)
        return -1;
    while (PyDict_Next(late, &at, &one, NULL)) {
        int count = marks(d, one, all);
        for (int n = 0; n < count; n++) {
            PyObject *key = PyLong_FromUnsignedLongLong(all[n]);
            int failed = key == NULL || list_under(rows, key, one) < 0;
            Py_XDECREF(key);
            if (failed)
                return -1;
        }
        if (count < 0)
            return -1;
    }
    PyDict_Clear(late);
    return 0;
}

static int marked(Index *index, uint64_t value)
{
    PyObject *key = PyLong_FromUnsignedLongLong(value);
    int found = key == NULL || holds(index, key);
    Py_XDECREF(key);
    return found;
}

/* Whether some content was the last one of a conversation: then this may be a window of that. */
static int in_window(Direct *d, Line *l)
{
    Index by_marks;
    if (l->count == 1)
        return 0;
    if (index_of(l, get(l, d->threads, N__marked), &by_marks) < 0 ||
        put_in(d, l, get(l, d->threads, N__late_before), by_marks.before) < 0 ||
        put_in(d, l, get(l, d->threads, N__late), by_marks.lately) < 0)
        return 1;
    for (Py_ssize_t n = 0; n < l->count; n++)
        if (marked(&by_marks, l->thread ^ l->hashes[n]))
            return 1;
    return 0;
}

/* Nor do its words and what the model said tell of another; what else does was looked at before. */
static int fresh(Direct *d, Line *l)
{
    Index by_marks;
    if (l->count == 1)
        return 1;
    if (index_of(l, get(l, d->threads, N__marked), &by_marks) < 0 || marked(&by_marks, l->thread ^ d->words))
        return 0;
    for (int n = 0; n < l->asked_count; n++)
        if (marked(&by_marks, l->thread ^ l->asked[n] ^ d->words))
            return 0;
    for (int n = 0; n < l->signs_count; n++)
        if (marked(&by_marks, l->thread ^ l->signs[n] ^ d->sign))
            return 0;
    return 1;
}

static int extends(Line *l, const Index *stood)
{
    PyObject *tail = get(l, l->conversation, N_tail), *chain = get(l, l->conversation, N_chain);
    if (tail == NULL || chain == NULL || (l->count - l->first == 1 && PyTuple_GET_SIZE(tail) == 0))
        return 0;
    if (alone(stood, chain) != l->conversation)
        return 0;
    for (Py_ssize_t n = l->first; n < l->count; n++)
        if (holds(stood, l->chains[n]))
            return 0;
    return 1;
}

/* Nobody has heard what is new, and what comes before is still remembered. */
static int unheard(Direct *d, Line *l)
{
    Index memory;
    if (index_of(l, d->memory, &memory) < 0)
        return 0;
    for (Py_ssize_t n = l->first; n < l->count; n++)
        if (marked(&memory, l->exact ^ l->chain[n]))
            return 0;
    uint64_t chain;
    if (l->conversation == NULL)
        return 1;
    if (number_of(l->conversation, N_chain, &chain) < 0)
        return 0;
    PyObject *key = key_of(l, l->exact ^ chain);
    if (key == NULL || there(memory.lately, key))
        return key != NULL;
    return hold(l, PyObject_CallMethodOneArg(d->memory, names[N_again], key)) == Py_True;
}

static int told_to(Line *l, PyObject *keys, const uint64_t *all, Py_ssize_t count)
{
    PyObject *bytes = hold(l, PyBytes_FromStringAndSize((const char *)all, count * (Py_ssize_t)sizeof(uint64_t)));
    return bytes == NULL || hold(l, PyObject_CallMethodOneArg(keys, names[N_frombytes], bytes)) == NULL ? -1 : 0;
}

/* What a line has looked up that is taken in, for those who note it: histories, prefixes, and of a new one what else it
   might be known by. */
static int looked_up(Direct *d, Line *l)
{
    uint64_t threads[4 * MOST + 2], prefixes[MOST + 1], chain;
    Py_ssize_t of_threads = 0, of_prefixes = 0;
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        threads[of_threads++] = l->chain[n];
        prefixes[of_prefixes++] = l->exact ^ l->chain[n];
    }
    if (l->conversation != NULL) {
        if (number_of(l->conversation, N_chain, &chain) < 0)
            return -1;
        threads[of_threads++] = chain;
        prefixes[of_prefixes++] = l->exact ^ chain;
    } else if (l->count > 1) {
        for (Py_ssize_t n = 0; n < l->count; n++)
            threads[of_threads++] = l->thread ^ l->hashes[n];
        for (int n = 0; n < l->asked_count; n++)
            threads[of_threads++] = l->thread ^ l->asked[n] ^ d->words;
        for (int n = 0; n < l->signs_count; n++)
            threads[of_threads++] = l->thread ^ l->signs[n] ^ d->sign;
        threads[of_threads++] = l->thread ^ d->words;
    }
    int failed = told_to(l, d->of_conversations, threads, of_threads);
    return failed < 0 ? -1 : told_to(l, d->of_prefixes, prefixes, of_prefixes);
}

/* The last two contents as they are kept: Conversation.ends. Those that are long are left to Python. */
static int last_words(Direct *d, Line *l)
{
    Py_ssize_t new = l->count - l->first, all = PyList_GET_SIZE(l->tail), size = 0;
    PyObject *last = PyList_GET_ITEM(l->tail, all - 1), *before = NULL;
    if (new > 1) {
        before = PyList_GET_ITEM(l->tail, all - 2);
    } else if (l->conversation != NULL) {
        PyObject *tail = get(l, l->conversation, N_tail);
        if (tail == NULL)
            return -1;
        if (PyTuple_GET_SIZE(tail))
            before = PyTuple_GET_ITEM(tail, PyTuple_GET_SIZE(tail) - 1);
    }
    if (before != NULL)
        size = PyBytes_GET_SIZE(last) + (new > 1 ? PyBytes_GET_SIZE(before) : 0);
    l->words_size = size;
    l->words = hold(l, before == NULL ? PyTuple_New(0) : PyTuple_Pack(2, before, last));
    return l->words == NULL || size > (Py_ssize_t)d->long_tail ? -1 : 0;
}

/* What it takes to remember the calls and signatures of the reply; long arguments Python weighs: weight in shelf.py */
static int weight(Direct *d, Line *l, uint64_t pieces, uint64_t *weight)
{
    PyObject *calls = get(l, l->saying, N_called);
    Py_ssize_t size = 0;
    *weight = 0;
    if (calls == NULL || pieces == 0)
        return calls == NULL ? -1 : 0;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(calls); n++) {
        PyObject *call = PyTuple_GET_ITEM(calls, n);
        PyObject *given = PyLong_Check(PyTuple_GET_ITEM(call, 1)) ? at(l->said, call, 1) : NULL;
        size += given == NULL ? 0 : PyBytes_GET_SIZE(given);
    }
    if (size > (Py_ssize_t)d->piece) {
        PyObject *told = called_with(l, d->weigh, l->saying, l->said);
        return told == NULL ? -1 : number(told, weight);
    }
    Py_ssize_t signatures = pieces > d->many ? 0 : PyList_GET_SIZE(l->signatures);
    *weight = d->piece * (uint64_t)(PyTuple_GET_SIZE(calls) + signatures) + (uint64_t)size;
    return 0;
}

/* The reply as it is kept, without calling what would make it in Python. */
static PyObject *kept_reply(Direct *d, Line *l, PyObject *path, Py_ssize_t number, uint64_t *weighs)
{
    uint64_t pieces;
    PyObject *texts = get(l, l->saying, N_texts), *calls = get(l, l->saying, N_calls);
    PyObject *finish = get(l, l->saying, N_finish);
    PyObject *args[] = {path, hold(l, PyLong_FromSsize_t(number))};
    PyObject *origin = args[1] == NULL ? NULL : hold(l, PyObject_Vectorcall(d->origin, args, 2, NULL));
    if (texts == NULL || calls == NULL || finish == NULL || origin == NULL ||
        number_of(l->saying, N_pieces, &pieces) < 0 || weight(d, l, pieces, weighs) < 0)
        return NULL;
    PyObject *reply = hold(l, PyType_GenericAlloc((PyTypeObject *)d->reply, 0));
    if (reply == NULL)
        return NULL;
    PyObject *many = pieces > d->many ? Py_True : Py_False;
    PyObject *speaks = PyTuple_GET_SIZE(texts) || PyTuple_GET_SIZE(calls) ? Py_True : Py_False;
    int failed = set(reply, N__origin, origin) < 0 || set(reply, N__saying, l->saying) < 0 ||
                 set(reply, N__values, l->said) < 0 || set(reply, N__lines, l->lines ? Py_True : Py_False) < 0 ||
                 set(reply, N__text, l->text ? Py_True : Py_False) < 0 ||
                 set(reply, N__events, l->events ? Py_True : Py_False) < 0 ||
                 set(reply, N__inner, l->inner ? Py_True : Py_False) < 0 ||
                 set(reply, N_speaks, speaks) < 0 || set_number(reply, N__weight, *weighs) < 0 ||
                 set(reply, N_failed, Py_False) < 0 || set(reply, N_many, many) < 0 ||
                 set(reply, N_doubtful, many) < 0 || set_number(reply, N_size, 0) < 0 ||
                 set(reply, N_finish, PyUnicode_GET_LENGTH(finish) ? finish : Py_None) < 0;
    return failed ? NULL : reply;
}

/* Taking it in: Talk.go_on, Noting.note and Lane.went_on. What fails from here on is an error. */

/* Where the server made the calls that are recited. */
static int remembers(Direct *d, Line *l)
{
    PyObject *reply = get(l, l->conversation, N_reply);
    PyObject *made = reply == NULL ? NULL : hold(l, PyObject_CallMethodNoArgs(reply, names[N_made]));
    PyObject *echoed = made == NULL ? NULL : called_with(l, d->echoed, made, NULL);
    PyObject *begin = hold(l, PyLong_FromSsize_t(l->begin)), *hash = key_of(l, l->hashes[l->first]);
    PyObject *key = begin == NULL || hash == NULL ? NULL : hold(l, PyTuple_Pack(2, begin, hash));
    if (key == NULL || echoed == NULL)
        return -1;
    PyObject *args[] = {l->conversation, key, echoed};
    return hold(l, PyObject_VectorcallMethod(names[N_remembers], args, 3, NULL)) == NULL ? -1 : 0;
}

static int taken_out(PyObject *rows, PyObject *key, PyObject *conversation)
{
    PyObject *row = PyDict_GetItemWithError(rows, key);
    if (row == conversation)
        return PyDict_DelItem(rows, key) < 0 ? -1 : 1;
    return row != NULL && PyDict_Check(row) ? 2 : PyErr_Occurred() ? -1 : 0;
}

/* Index.remove */
static int removed(Line *l, const Index *index, PyObject *key, PyObject *conversation)
{
    int done = key == NULL ? -1 : taken_out(index->lately, key, conversation);
    if (done == 0)
        done = taken_out(index->before, key, conversation);
    if (done == 2) {
        PyObject *args[] = {index->of, key, conversation};
        return hold(l, PyObject_VectorcallMethod(names[N_remove], args, 3, NULL)) == NULL ? -1 : 0;
    }
    return done < 0 ? -1 : 0;
}

static int dropped(PyObject *table, PyObject *key)
{
    int in = table == NULL ? -1 : PyDict_Contains(table, key);
    return in == 1 && PyDict_DelItem(table, key) < 0 ? -1 : in;
}

/* It is not to be found where it stood: Threads._unlist */
static int unlisted(Direct *d, Line *l, const Index *stood)
{
    Index by_marks;
    uint64_t all[3];
    PyObject *one = l->conversation;
    if (removed(l, stood, get(l, one, N_chain), one) < 0)
        return -1;
    int late = dropped(get(l, d->threads, N__late), one);
    if (late == 0)
        late = dropped(get(l, d->threads, N__late_before), one);
    if (late)
        return late < 0 ? -1 : 0;
    if (index_of(l, get(l, d->threads, N__marked), &by_marks) < 0)
        return -1;
    int count = marks(d, one, all);
    for (int n = 0; n < count; n++)
        if (removed(l, &by_marks, key_of(l, all[n]), one) < 0)
            return -1;
    return count < 0 ? -1 : 0;
}

/* Threads.name */
static PyObject *next_name(Direct *d, Line *l)
{
    uint64_t count;
    if (number_of(d->threads, N__count, &count) < 0 || set_number(d->threads, N__count, count + 1) < 0)
        return NULL;
    char written[24], *p = written + sizeof(written);
    for (count++; count; count /= 10)
        *--p = (char)('0' + count % 10);
    *--p = 'c';
    return hold(l, PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, p, written + sizeof(written) - p));
}

/* A conversation begins. */
static PyObject *begun(Direct *d, Line *l, PyObject *bytes)
{
    PyObject *hashes = called_with(l, d->array, d->typecode, bytes);
    PyObject *args[] = {hashes == NULL ? NULL : next_name(d, l), get(l, l->kind, N_thread), hashes};
    if (args[0] == NULL || args[1] == NULL)
        return NULL;
    PyObject *one = hold(l, PyObject_Vectorcall(d->conversation, args, 3, NULL));
    return one == NULL || set_number(one, N_opening, l->asked_count ? l->asked[0] : 0) < 0 ? NULL : one;
}

/* What its user said last; the same number where that is what he said first. */
static int says_last(Line *l)
{
    if (l->asked_count == 0)
        return 0;
    PyObject *opening = l->asked_count == 1 ? get(l, l->conversation, N_opening) : NULL;
    uint64_t words = l->asked[l->asked_count - 1], first;
    if (opening != NULL && number(opening, &first) == 0 && first == words)
        return set(l->conversation, N_words, opening);
    return PyErr_Occurred() ? -1 : set_number(l->conversation, N_words, words);
}

/* It goes on: Threads._keep */
static int kept(Direct *d, Line *l)
{
    uint64_t age, own, before, places, all, most, length;
    PyObject *one = l->conversation, *threads = d->threads, *hashes = get(l, one, N_hashes);
    if (hashes == NULL || number_of(threads, N__age, &age) < 0 || number_of(one, N_age, &own) < 0 ||
        number_of(one, N_places, &before) < 0 || number_of(threads, N__places, &all) < 0 ||
        number_of(threads, N__most, &most) < 0 || number_of(threads, N__length, &length) < 0)
        return -1;
    places = 1 + (uint64_t)PyObject_Size(hashes) / length;
    if (places != before && set_number(one, N_places, places) < 0)
        return -1;
    if (own == age) {
        all += places - before;
    } else {
        PyObject *lately = get(l, threads, N__lately);
        all += places;
        if (set_number(one, N_age, age) < 0 || lately == NULL || PyList_Append(lately, one) < 0)
            return -1;
    }
    if (set_number(threads, N__places, all) < 0)
        return -1;
    return all >= most && hold(l, PyObject_CallMethodNoArgs(threads, names[N__turn])) == NULL ? -1 : 0;
}

/* What is light takes no room, and nothing is to be done, unless it was heavy before: Threads.go_on. */
static int roomed(Direct *d, Line *l, int which, int keep, uint64_t weighs, PyObject *size)
{
    uint64_t light;
    PyObject *one = l->conversation, *name = get(l, one, N_name), *room = get(l, d->threads, which);
    PyObject *held = room == NULL ? NULL : get(l, room, N_held);
    if (name == NULL || held == NULL || number_of(room, N_light, &light) < 0)
        return -1;
    if (weighs <= light && !there(held, name))
        return 0;
    PyObject *args[] = {d->threads, one, size};
    return hold(l, PyObject_VectorcallMethod(names[keep], args, size == NULL ? 2 : 3, NULL)) == NULL ? -1 : 0;
}

static int rooms(Direct *d, Line *l, uint64_t weighs)
{
    uint64_t placed;
    PyObject *size = hold(l, PyLong_FromSsize_t(l->words_size));
    if (size == NULL || number_of(l->conversation, N_placed, &placed) < 0 ||
        roomed(d, l, N__tails, N__keep_tail, (uint64_t)l->words_size, size) < 0 ||
        roomed(d, l, N__replies, N__keep_reply, weighs, NULL) < 0)
        return -1;
    if (placed == 0)
        return 0;
    PyObject *args[] = {d->threads, l->conversation};
    return hold(l, PyObject_VectorcallMethod(names[N__keep_echoes], args, 2, NULL)) == NULL ? -1 : 0;
}

/* It stands after what is new now: Memory.leave */
static int left(Direct *d, Line *l)
{
    PyObject *path = get(l, l->conversation, N_path), *lately = get(l, d->memory, N__lately), *one = l->conversation;
    uint64_t most, light;
    if (path == NULL || lately == NULL || number_of(d->memory, N__most, &most) < 0 ||
        number_of(d->memory, N__light, &light) < 0)
        return -1;
    Py_ssize_t new = l->count - l->first;
    if ((uint64_t)PyTuple_GET_SIZE(l->called) * d->name_size > light ||
        PyDict_GET_SIZE(lately) + new > (Py_ssize_t)most) {
        PyObject *links = hold(l, PyList_New(0)), *args[] = {d->memory, key_of(l, l->exact), links, one};
        if (links == NULL || args[1] == NULL)
            return -1;
        for (Py_ssize_t n = l->first; n < l->count; n++)
            if (PyList_Append(links, l->chains[n]) < 0)
                return -1;
        return hold(l, PyObject_VectorcallMethod(names[N_leave], args, 4, NULL)) == NULL ? -1 : 0;
    }
    if (PyTuple_GET_SIZE(path))
        one = called_with(l, d->left, one, path);
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        PyObject *key = key_of(l, l->exact ^ l->chain[n]);
        if (key == NULL || one == NULL || PyDict_SetItem(lately, key, one) < 0)
            return -1;
    }
    return 0;
}

static int given(Direct *d, Line *l)
{
    uint64_t most;
    if (PyList_GET_SIZE(l->signatures) == 0)
        return 0;
    PyObject *lately = get(l, d->signatures, N__lately);
    if (lately == NULL || number_of(d->signatures, N__most, &most) < 0)
        return -1;
    if (PyDict_GET_SIZE(lately) + PyList_GET_SIZE(l->signatures) > (Py_ssize_t)most)
        return hold(l, PyObject_CallMethodOneArg(d->signatures, names[N_add], l->signatures)) == NULL ? -1 : 0;
    for (Py_ssize_t n = 0; n < PyList_GET_SIZE(l->signatures); n++)
        if (PyDict_SetItem(lately, PyList_GET_ITEM(l->signatures, n), Py_None) < 0)
            return -1;
    return 0;
}

/* Shelf.add */
static int shelved(Direct *d, Line *l, PyObject *reply)
{
    PyObject *texts = get(l, l->saying, N_texts), *calls = get(l, l->saying, N_calls),
             *signatures = get(l, l->saying, N_signed);
    PyObject *room = get(l, d->shelf, N__room), *held = room == NULL ? NULL : get(l, room, N_held);
    PyObject *name = get(l, l->conversation, N_name);
    uint64_t light;
    if (texts == NULL || calls == NULL || signatures == NULL || held == NULL || name == NULL ||
        number_of(room, N_light, &light) < 0)
        return -1;
    Py_ssize_t places = PyTuple_GET_SIZE(texts) + PyTuple_GET_SIZE(calls) + PyTuple_GET_SIZE(signatures);
    Py_ssize_t size = (Py_ssize_t)d->reply_size + (Py_ssize_t)d->part_size * places;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(l->said); n++)
        size += PyObject_Size(PyTuple_GET_ITEM(l->said, n));
    if (size <= (Py_ssize_t)light && !there(held, name))
        return 0;
    PyObject *args[] = {d->shelf, reply, l->conversation};
    return hold(l, PyObject_VectorcallMethod(names[N_add], args, 3, NULL)) == NULL ? -1 : 0;
}

/* A long history is to be found again in a line: Lane.went_on */
static int found_again(Direct *d, Line *l)
{
    if (l->start == 0 || l->size - l->start <= (Py_ssize_t)d->short_line)
        return 0;
    PyObject *stood = called_with(l, d->stood, l->conversation, l->chains[l->count - 1]);
    PyObject *name = stood == NULL ? NULL : get(l, l->conversation, N_name);
    if (name == NULL)
        return -1;
    PyObject *start = hold(l, PyLong_FromSsize_t(l->start)), *end = hold(l, PyLong_FromSsize_t(l->end));
    if (start == NULL || end == NULL)
        return -1;
    if (l->heard == NULL) {
        PyObject *args[] = {d->prefixes, name, l->line, start, end, stood};
        return hold(l, PyObject_VectorcallMethod(names[N_add], args, 6, NULL)) == NULL ? -1 : 0;
    }
    PyObject *args[] = {d->prefixes, l->heard, l->line, start, end};
    if (set(l->heard, N_known, stood) < 0)
        return -1;
    return hold(l, PyObject_VectorcallMethod(names[N_move], args, 5, NULL)) == NULL ? -1 : 0;
}

/* One finding is noted in its conversation: Once.note */
static PyObject *note(Direct *d, Line *l, PyObject *finding, Py_ssize_t at, uint64_t dropped)
{
    PyObject *one = l->conversation, *notes = get(l, one, N_notes), *mark = get(l, finding, N_fingerprint);
    PyObject *args[] = {finding, key_of(l, l->hashes[l->first + at]), key_of(l, (uint64_t)(l->begin + at) + dropped)};
    PyObject *known = args[1] == NULL || args[2] == NULL ? NULL : hold(l, PyObject_Vectorcall(d->known, args, 3, NULL));
    if (notes == Py_None) {
        notes = hold(l, PyDict_New());
        if (set(one, N_notes, notes) < 0)
            return NULL;
    }
    if (known == NULL || notes == NULL || mark == NULL)
        return NULL;
    PyObject *several = PyDict_GetItemWithError(notes, mark);
    if (several == NULL) {
        several = hold(l, PyObject_CallNoArgs(d->several));
        if (several == NULL || PyDict_SetItem(notes, mark, several) < 0)
            return NULL;
    }
    PyObject *all = get(l, several, N_all);
    if (get(l, several, N__contents) != Py_None)
        return hold(l, PyObject_CallMethodOneArg(several, names[N_add], known)) == NULL ? NULL : known;
    return all == NULL || PyList_Append(all, known) < 0 ? NULL : known;
}

static int count_one(Direct *d, Line *l, PyObject *finding)
{
    uint64_t count = 0;
    PyObject *severity = get(l, finding, N_severity);
    PyObject *before = severity == NULL ? NULL : PyDict_GetItemWithError(d->counted, severity);
    if (severity == NULL || (before != NULL && number(before, &count) < 0))
        return -1;
    PyObject *now = key_of(l, count + 1);
    return now == NULL ? -1 : PyDict_SetItem(d->counted, severity, now);
}

/* What is found is noted with the contents that have it, and what is wrong up to each: Noting.note, Memory.noted */
static int noted(Direct *d, Line *l)
{
    PyObject *one = l->conversation, *path = get(l, one, N_path), *notes[MOST] = {NULL};
    Py_ssize_t new = l->count - l->first, begins = new;
    uint64_t dropped;
    if (path == NULL || number_of(one, N_dropped, &dropped) < 0)
        return -1;
    for (Py_ssize_t n = 0; n < PyList_GET_SIZE(l->found); n++) {
        PyObject *place = PyTuple_GET_ITEM(PyList_GET_ITEM(l->found, n), 0);
        PyObject *finding = PyTuple_GET_ITEM(PyList_GET_ITEM(l->found, n), 1);
        if (same(place, d->surrounding)) {
            PyObject *again = called_with(l, d->again, finding, one);
            if (again == NULL || (again != Py_True && count_one(d, l, finding) < 0))
                return -1;
            continue;
        }
        Py_ssize_t at = stands(d, l, place);
        if (count_one(d, l, finding) < 0)
            return -1;
        if (at < 0)
            continue;
        PyObject *known = note(d, l, finding, at, dropped);
        if (known == NULL)
            return -1;
        if (same(place, d->ending)) /* nothing recites that */
            continue;
        if (notes[at] == NULL && (notes[at] = hold(l, PyList_New(0))) == NULL)
            return -1;
        if (PyList_Append(notes[at], known) < 0)
            return -1;
        begins = at < begins ? at : begins;
    }
    PyObject *lately = get(l, d->memory, N__lately), *before = get(l, d->memory, N__before);
    for (Py_ssize_t n = begins; n < new; n++) {
        if (notes[n] != NULL) {
            PyObject *more = hold(l, PyList_AsTuple(notes[n]));
            path = more == NULL ? NULL : hold(l, PySequence_Concat(path, more));
        }
        PyObject *key = key_of(l, l->exact ^ l->chain[l->first + n]);
        if (path == NULL || key == NULL || lately == NULL || before == NULL)
            return -1;
        PyObject *kept = there(lately, key) ? lately : before, *node = PyDict_GetItemWithError(kept, key);
        if (node == NULL)
            continue;
        if (Py_TYPE(node) == (PyTypeObject *)d->node) {
            if (set(node, N_notes, path) < 0)
                return -1;
            continue;
        }
        PyObject *left = called_with(l, d->left, one, path);
        if (left == NULL || PyDict_SetItem(kept, key, left) < 0)
            return -1;
    }
    return begins < new ? set(one, N_path, path) : 0;
}

static int taken_in(Direct *d, Line *l, const Index *stood, PyObject *reply, uint64_t weighs)
{
    Py_ssize_t new = l->count - l->first;
    PyObject *link = l->chains[l->count - 1];
    PyObject *bytes =
        hold(l, PyBytes_FromStringAndSize((char *)(l->hashes + l->first), new * (Py_ssize_t)sizeof(uint64_t)));
    PyObject *calls = get(l, l->telling, N_calls), *state = get(l, l->telling, N_state);
    PyObject *made = get(l, l->saying, N_called), *model = get(l, l->saying, N_model);
    if (bytes == NULL || calls == NULL || state == NULL || made == NULL || model == NULL)
        return -1;
    if (model != Py_None) {
        uint64_t place;
        model = number(model, &place) < 0 ? NULL : PyTuple_GET_ITEM(l->said, (Py_ssize_t)place);
    }
    if (l->conversation == NULL) {
        if ((l->conversation = begun(d, l, bytes)) == NULL)
            return -1;
    } else {
        PyObject *hashes = get(l, l->conversation, N_hashes);
        if ((calls == Py_True && remembers(d, l) < 0) || unlisted(d, l, stood) < 0 || hashes == NULL ||
            hold(l, PyObject_CallMethodOneArg(hashes, names[N_frombytes], bytes)) == NULL ||
            set(l->conversation, N_at, Py_None) < 0)
            return -1;
    }
    PyObject *one = l->conversation, *late = get(l, d->threads, N__late);
    if (set(one, N_tail, l->words) < 0 || set(one, N_chain, link) < 0 || says_last(l) < 0 ||
        set(one, N_sound, l->kind) < 0 || set(one, N_state, state) < 0 || set(one, N_called, l->called) < 0 ||
        set(one, N_reply, reply) < 0 || set_number(one, N_open_calls, (uint64_t)PyTuple_GET_SIZE(made)) < 0 ||
        (model != Py_None && PyUnicode_GET_LENGTH(model) && set(one, N_model, model) < 0) ||
        set_number(one, N_sign, l->sign) < 0)
        return -1;
    if (list_under(stood->lately, link, one) < 0 || late == NULL || PyDict_SetItem(late, one, Py_True) < 0 ||
        kept(d, l) < 0 || rooms(d, l, weighs) < 0)
        return -1;
    if (given(d, l) < 0 || left(d, l) < 0)
        return -1;
    if (PyList_GET_SIZE(l->found) && noted(d, l) < 0)
        return -1;
    return shelved(d, l, reply) < 0 || found_again(d, l) < 0 ? -1 : 0;
}

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
    PyObject *reply;
    Index stood;
    uint64_t weighs;
    if (around(d, l) < 0 || index_of(l, get(l, d->threads, N__stood), &stood) < 0 || whose(d, l, &stood) < 0 ||
        meant(d, l) < 0 || (l->conversation == NULL && in_window(d, l)) || told(d, l) < 0 || !fit(d, l) ||
        judged(d, l) < 0 || !(l->conversation == NULL ? fresh(d, l) : extends(l, &stood)) || !unheard(d, l) ||
        last_words(d, l) < 0 || (reply = kept_reply(d, l, path, number, &weighs)) == NULL ||
        (d->of_prefixes != Py_None && looked_up(d, l) < 0))
        return refused();
    return taken_in(d, l, &stood, reply, weighs) < 0 ? -1 : 1;
}

static void set_out(Line *l, PyObject *line)
{
    memset((char *)l + sizeof(l->first_held), 0, sizeof(*l) - sizeof(l->first_held));
    l->held = l->first_held;
    l->held_room = HELD;
    l->line = line;
    l->data = PyBytes_AS_STRING(line);
    l->size = PyBytes_GET_SIZE(line);
}

static int done(Line *l, int taken)
{
    while (l->held_count)
        Py_DECREF(l->held[--l->held_count]);
    if (l->held != l->first_held)
        PyMem_Free(l->held);
    if (taken < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_SystemError, "what is taken in directly is not as it should be");
    return taken;
}

static int take_line(Direct *d, PyObject *line, PyObject *path, Py_ssize_t number)
{
    Line l;
    PyObject *chunks, *stream;
    set_out(&l, line);
    if (l.size < PyBytes_GET_SIZE(d->exchange) ||
        memcmp(l.data, PyBytes_AS_STRING(d->exchange), PyBytes_GET_SIZE(d->exchange)) != 0)
        return 0;
    if (heard_before(d, &l) < 0 || cut(d, &l, &chunks, &stream) < 0 || replied(d, &l, chunks, stream) < 0)
        return done(&l, refused());
    return done(&l, take_pieces(d, &l, path, number));
}

/* What Python has cut: a Cut, and the history heard in it or None. */
static int pieces_of(Line *l, PyObject *one, PyObject *heard)
{
    PyObject *form = get(l, one, N_contents), *said = get(l, one, N_said), *lines = get(l, one, N_lines);
    PyObject *events = said == NULL ? NULL : get(l, said, N_events);
    PyObject *same_reply = said == NULL ? NULL : get(l, said, N_one);
    PyObject *text = get(l, one, N_text), *inner = get(l, one, N_inner);
    uint64_t start, end, count;
    l->around = get(l, one, N_around);
    l->tail = get(l, one, N_slices);
    if (form == NULL || lines == NULL || events == NULL || same_reply == NULL || text == NULL || inner == NULL ||
        l->around == NULL || l->tail == NULL || !PyList_Check(l->tail) || number_of(one, N_start, &start) < 0 ||
        number_of(one, N_end, &end) < 0 || number(lines, &count) < 0)
        return -1;
    l->saying = get(l, said, N_saying);
    l->said = get(l, said, N_values);
    l->signatures = get(l, said, N_signatures);
    if (l->saying == NULL || l->said == NULL || l->signatures == NULL || number_of(said, N_sign, &l->sign) < 0)
        return -1;
    if (heard != Py_None && goes_on(l, heard) < 0)
        return -1;
    l->shape = PyTuple_GET_ITEM(form, 0);
    l->values = PyTuple_GET_ITEM(form, 1);
    l->start = (Py_ssize_t)start;
    l->end = (Py_ssize_t)end;
    l->count = PyList_GET_SIZE(l->tail);
    l->lines = count > 1;
    l->text = text == Py_True;
    l->inner = inner == Py_True;
    l->events = events == Py_True;
    l->one = same_reply == Py_True;
    return l->count == 0 || l->count > MOST ? -1 : 0;
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
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "run(lines: Sequence[bytes], begin: int, path: str, number: int)");
        return NULL;
    }
    Py_ssize_t begin = PyLong_AsSsize_t(args[1]), number = PyLong_AsSsize_t(args[3]), at = begin;
    if (begin < 0 && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "places are not negative");
    PyObject *lines = PyErr_Occurred() || !is_given(d) ? NULL : PySequence_Fast(args[0], "lines are a sequence");
    if (lines == NULL)
        return NULL;
    int taken = 1;
    for (; at < PySequence_Fast_GET_SIZE(lines); at++) {
        PyObject *line = Py_NewRef(PySequence_Fast_GET_ITEM(lines, at));
        taken = PyBytes_Check(line) ? take_line(d, line, args[2], number + at - begin) : 0;
        Py_DECREF(line);
        if (taken != 1)
            break;
    }
    Py_DECREF(lines);
    return taken < 0 ? NULL : PyLong_FromSsize_t(at - begin);
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
    set_out(&l, line);
    int taken = pieces_of(&l, args[0], args[1]) < 0 ? refused() : take_pieces(d, &l, args[2], number);
    taken = done(&l, taken);
    Py_DECREF(line);
    return taken < 0 ? NULL : PyBool_FromLong(taken);
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
    return type->tp_alloc(type, 0);
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
    type->tp_free(d);
    Py_DECREF(type);
}

static PyMethodDef direct_methods[] = {
    {"run", (PyCFunction)(void (*)(void))direct_run, METH_FASTCALL,
     "run(lines, begin, path, number)\n--\n\nHow many of these lines, from one on, were taken in."},
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
    "wirecheck.lane.direct.Direct", sizeof(Direct), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, direct_slots,
};

static int module_exec(PyObject *module)
{
    for (int n = 0; n < N_COUNT; n++)
        if (names[n] == NULL && (names[n] = PyUnicode_InternFromString(SPELT[n])) == NULL)
            return -1;
    PyObject *type = PyType_FromSpec(&direct_spec);
    if (type == NULL || PyModule_AddObjectRef(module, "Direct", type) < 0) {
        Py_XDECREF(type);
        return -1;
    }
    Py_DECREF(type);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "direct", "Exchanges all of whose forms are known.", 0, NULL, module_slots,
};

PyMODINIT_FUNC PyInit_direct(void)
{
    return PyModuleDef_Init(&module);
}
