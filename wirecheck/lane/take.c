/* Taking in a line that was looked up: Talk.go_on, Noting.note and Lane.went_on. What fails is an error. */

#include "direct.h"

/* Where the server made the calls that are recited. */
static int remembers(Direct *d, Line *l)
{
    PyObject *reply = get(&l->held, l->conversation, N_reply);
    PyObject *made = reply == NULL ? NULL : hold(&l->held, PyObject_CallMethodNoArgs(reply, names[N_made]));
    PyObject *echoed = made == NULL ? NULL : called_with(&l->held, d->echoed, made, NULL);
    PyObject *begin = hold(&l->held, PyLong_FromSsize_t(l->begin)), *hash = key_of(&l->held, d->hashes_of[l->first]);
    PyObject *key = begin == NULL || hash == NULL ? NULL : hold(&l->held, PyTuple_Pack(2, begin, hash));
    if (key == NULL || echoed == NULL)
        return -1;
    PyObject *args[] = {l->conversation, key, echoed};
    return hold(&l->held, PyObject_VectorcallMethod(names[N_remembers], args, 3, NULL)) == NULL ? -1 : 0;
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
    return hold(&l->held, PyUnicode_FromKindAndData(PyUnicode_1BYTE_KIND, p, written + sizeof(written) - p));
}

/* A conversation begins. */
static PyObject *begun(Direct *d, Line *l, PyObject *bytes)
{
    PyObject *hashes = called_with(&l->held, d->array, d->typecode, bytes);
    PyObject *args[] = {hashes == NULL ? NULL : next_name(d, l), get(&l->held, l->kind, N_thread), hashes};
    if (args[0] == NULL || args[1] == NULL)
        return NULL;
    PyObject *one = hold(&l->held, PyObject_Vectorcall(d->conversation, args, 3, NULL));
    return one == NULL || set_number(one, N_opening, l->asked_count ? d->asked_of[0] : 0) < 0 ? NULL : one;
}

/* What its user said last; the same number where that is what he said first. */
static int says_last(Direct *d, Line *l)
{
    if (l->asked_count == 0)
        return 0;
    PyObject *opening = l->asked_count == 1 ? get(&l->held, l->conversation, N_opening) : NULL;
    uint64_t words = d->asked_of[l->asked_count - 1], first;
    if (opening != NULL && number(opening, &first) == 0 && first == words)
        return set(l->conversation, N_words, opening);
    return PyErr_Occurred() ? -1 : set_number(l->conversation, N_words, words);
}

/* It goes on: Threads._keep */
static int kept(Direct *d, Line *l)
{
    uint64_t age, own, before, places, all, most, length;
    PyObject *one = l->conversation, *threads = d->threads, *hashes = get(&l->held, one, N_hashes);
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
        PyObject *lately = get(&l->held, threads, N__lately);
        all += places;
        if (set_number(one, N_age, age) < 0 || lately == NULL || PyList_Append(lately, one) < 0)
            return -1;
    }
    if (set_number(threads, N__places, all) < 0)
        return -1;
    return all >= most && hold(&l->held, PyObject_CallMethodNoArgs(threads, names[N__turn])) == NULL ? -1 : 0;
}

/* What is light takes no room, and nothing is to be done, unless it was heavy before: Threads.go_on. */
static int roomed(Direct *d, Line *l, int which, int keep, uint64_t weighs, PyObject *size)
{
    uint64_t light;
    PyObject *one = l->conversation, *name = get(&l->held, one, N_name), *room = get(&l->held, d->threads, which);
    PyObject *held = room == NULL ? NULL : get(&l->held, room, N_held);
    if (name == NULL || held == NULL || number_of(room, N_light, &light) < 0)
        return -1;
    if (weighs <= light && !there(held, name))
        return 0;
    PyObject *args[] = {d->threads, one, size};
    return hold(&l->held, PyObject_VectorcallMethod(names[keep], args, size == NULL ? 2 : 3, NULL)) == NULL ? -1 : 0;
}

static int rooms(Direct *d, Line *l)
{
    uint64_t placed;
    PyObject *size = hold(&l->held, PyLong_FromSsize_t(l->words_size));
    if (size == NULL || number_of(l->conversation, N_placed, &placed) < 0 ||
        roomed(d, l, N__tails, N__keep_tail, (uint64_t)l->words_size, size) < 0 ||
        roomed(d, l, N__replies, N__keep_reply, l->weighs, NULL) < 0)
        return -1;
    if (placed == 0)
        return 0;
    PyObject *args[] = {d->threads, l->conversation};
    return hold(&l->held, PyObject_VectorcallMethod(names[N__keep_echoes], args, 2, NULL)) == NULL ? -1 : 0;
}

/* It stands after what is new now: Memory.leave */
static int left(Direct *d, Line *l)
{
    PyObject *path = get(&l->held, l->conversation, N_path), *lately = get(&l->held, d->memory, N__lately),
             *one = l->conversation;
    uint64_t most, light;
    if (path == NULL || lately == NULL || number_of(d->memory, N__most, &most) < 0 ||
        number_of(d->memory, N__light, &light) < 0)
        return -1;
    Py_ssize_t new = l->count - l->first;
    if ((uint64_t)PyTuple_GET_SIZE(l->called) * d->name_size > light ||
        PyDict_GET_SIZE(lately) + new > (Py_ssize_t)most) {
        PyObject *links = hold(&l->held, PyList_New(0)), *args[] = {d->memory, key_of(&l->held, l->exact), links, one};
        if (links == NULL || args[1] == NULL)
            return -1;
        for (Py_ssize_t n = l->first; n < l->count; n++)
            if (PyList_Append(links, d->chains_of[n]) < 0)
                return -1;
        return hold(&l->held, PyObject_VectorcallMethod(names[N_leave], args, 4, NULL)) == NULL ? -1 : 0;
    }
    Py_ssize_t wrong = PyObject_Size(path);
    if (wrong)
        one = wrong < 0 ? NULL : called_with(&l->held, d->left, one, path);
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        PyObject *key = key_of(&l->held, l->exact ^ d->chain_of[n]);
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
    PyObject *lately = get(&l->held, d->signatures, N__lately);
    if (lately == NULL || number_of(d->signatures, N__most, &most) < 0)
        return -1;
    if (PyDict_GET_SIZE(lately) + PyList_GET_SIZE(l->signatures) > (Py_ssize_t)most)
        return hold(&l->held, PyObject_CallMethodOneArg(d->signatures, names[N_add], l->signatures)) == NULL ? -1 : 0;
    for (Py_ssize_t n = 0; n < PyList_GET_SIZE(l->signatures); n++)
        if (PyDict_SetItem(lately, PyList_GET_ITEM(l->signatures, n), Py_None) < 0)
            return -1;
    return 0;
}

/* Shelf.add */
static int shelved(Direct *d, Line *l)
{
    const Reply *told = l->reply;
    PyObject *room = get(&l->held, d->shelf, N__room), *held = room == NULL ? NULL : get(&l->held, room, N_held);
    PyObject *name = get(&l->held, l->conversation, N_name), *said = get(&l->held, l->kept, N__said);
    uint64_t light;
    if (held == NULL || name == NULL || said == NULL || number_of(room, N_light, &light) < 0)
        return -1;
    uint64_t places = (uint64_t)(told->texts->count + told->calls_count + told->signatures->count);
    uint64_t size = d->reply_size + d->part_size * places + (uint64_t)PyBytes_GET_SIZE(said);
    if (size <= light && !there(held, name))
        return 0;
    PyObject *args[] = {d->shelf, l->kept, l->conversation};
    return hold(&l->held, PyObject_VectorcallMethod(names[N_add], args, 3, NULL)) == NULL ? -1 : 0;
}

/* A long history is to be found again in a line: Lane.went_on */
static int found_again(Direct *d, Line *l)
{
    if (l->start == 0 || l->size - l->start <= (Py_ssize_t)d->short_line)
        return 0;
    PyObject *stood = called_with(&l->held, d->stood, l->conversation, d->chains_of[l->count - 1]);
    PyObject *name = stood == NULL ? NULL : get(&l->held, l->conversation, N_name);
    if (name == NULL)
        return -1;
    PyObject *start = hold(&l->held, PyLong_FromSsize_t(l->start)), *end = hold(&l->held, PyLong_FromSsize_t(l->end));
    if (start == NULL || end == NULL)
        return -1;
    if (l->heard == NULL) {
        PyObject *args[] = {d->prefixes, name, l->line, start, end, stood};
        return hold(&l->held, PyObject_VectorcallMethod(names[N_add], args, 6, NULL)) == NULL ? -1 : 0;
    }
    PyObject *args[] = {d->prefixes, l->heard, l->line, start, end};
    if (set(l->heard, N_known, stood) < 0)
        return -1;
    return hold(&l->held, PyObject_VectorcallMethod(names[N_move], args, 5, NULL)) == NULL ? -1 : 0;
}

/* One finding is noted in its conversation: Once.note */
static PyObject *note(Direct *d, Line *l, PyObject *finding, Py_ssize_t at, uint64_t dropped)
{
    PyObject *one = l->conversation, *notes = get(&l->held, one, N_notes),
             *mark = get(&l->held, finding, N_fingerprint);
    PyObject *args[] = {finding, key_of(&l->held, d->hashes_of[l->first + at]),
                        key_of(&l->held, (uint64_t)(l->begin + at) + dropped)};
    PyObject *known =
        args[1] == NULL || args[2] == NULL ? NULL : hold(&l->held, PyObject_Vectorcall(d->known, args, 3, NULL));
    if (notes == Py_None) {
        notes = hold(&l->held, PyDict_New());
        if (set(one, N_notes, notes) < 0)
            return NULL;
    }
    if (known == NULL || notes == NULL || mark == NULL)
        return NULL;
    PyObject *several = PyDict_GetItemWithError(notes, mark);
    if (several == NULL) {
        several = hold(&l->held, PyObject_CallNoArgs(d->several));
        if (several == NULL || PyDict_SetItem(notes, mark, several) < 0)
            return NULL;
    }
    PyObject *all = get(&l->held, several, N_all);
    if (get(&l->held, several, N__contents) != Py_None)
        return hold(&l->held, PyObject_CallMethodOneArg(several, names[N_add], known)) == NULL ? NULL : known;
    return all == NULL || PyList_Append(all, known) < 0 ? NULL : known;
}

static int count_one(Direct *d, Line *l, PyObject *finding)
{
    uint64_t count = 0;
    PyObject *severity = get(&l->held, finding, N_severity);
    PyObject *before = severity == NULL ? NULL : PyDict_GetItemWithError(d->counted, severity);
    if (severity == NULL || (before != NULL && number(before, &count) < 0))
        return -1;
    PyObject *now = key_of(&l->held, count + 1);
    return now == NULL ? -1 : PyDict_SetItem(d->counted, severity, now);
}

/* What is found is noted with the contents that have it, and what is wrong up to each: Noting.note, Memory.noted */
static int noted(Direct *d, Line *l)
{
    PyObject *one = l->conversation, *path = get(&l->held, one, N_path), *notes[MOST] = {NULL};
    Py_ssize_t new = l->count - l->first, begins = new;
    uint64_t dropped;
    if (path == NULL || number_of(one, N_dropped, &dropped) < 0)
        return -1;
    for (int n = 0; n < l->found_count; n++) {
        PyObject *finding = l->found[n].finding;
        if (l->found[n].place == AROUND) {
            PyObject *again = called_with(&l->held, d->again, finding, one);
            if (again == NULL || (again != Py_True && count_one(d, l, finding) < 0))
                return -1;
            continue;
        }
        Py_ssize_t at = stands(l, &l->found[n]);
        if (count_one(d, l, finding) < 0)
            return -1;
        if (at < 0)
            continue;
        PyObject *known = note(d, l, finding, at, dropped);
        if (known == NULL)
            return -1;
        if (l->found[n].place == AT_END) /* nothing recites that */
            continue;
        if (notes[at] == NULL && (notes[at] = hold(&l->held, PyList_New(0))) == NULL)
            return -1;
        if (PyList_Append(notes[at], known) < 0)
            return -1;
        begins = at < begins ? at : begins;
    }
    PyObject *lately = get(&l->held, d->memory, N__lately), *before = get(&l->held, d->memory, N__before);
    for (Py_ssize_t n = begins; n < new; n++) {
        if (notes[n] != NULL) {
            PyObject *more = hold(&l->held, PyList_AsTuple(notes[n]));
            path = more == NULL ? NULL : hold(&l->held, PySequence_Concat(path, more));
        }
        PyObject *key = key_of(&l->held, l->exact ^ d->chain_of[l->first + n]);
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
        PyObject *left = called_with(&l->held, d->left, one, path);
        if (left == NULL || PyDict_SetItem(kept, key, left) < 0)
            return -1;
    }
    return begins < new ? set(one, N_path, path) : 0;
}

int take_in(Direct *d, Line *l)
{
    Py_ssize_t new = l->count - l->first;
    PyObject *link = d->chains_of[l->count - 1];
    PyObject *bytes = hold(
        &l->held, PyBytes_FromStringAndSize((char *)(d->hashes_of + l->first), new * (Py_ssize_t)sizeof(uint64_t)));
    PyObject *state = hold(&l->held, PyUnicode_InternFromString(state_name(l->told.state)));
    const Value *model = value_at(l->said, l->reply->model);
    if (bytes == NULL || state == NULL)
        return -1;
    if (l->conversation == NULL) {
        if ((l->conversation = begun(d, l, bytes)) == NULL)
            return -1;
    } else {
        PyObject *hashes = get(&l->held, l->conversation, N_hashes);
        if ((l->told.calls && remembers(d, l) < 0) || unlisted(d, l) < 0 || hashes == NULL ||
            hold(&l->held, PyObject_CallMethodOneArg(hashes, names[N_frombytes], bytes)) == NULL ||
            set(l->conversation, N_at, Py_None) < 0)
            return -1;
    }
    PyObject *one = l->conversation, *late = get(&l->held, d->threads, N__late);
    if (set(one, N_tail, l->words) < 0 || set(one, N_chain, link) < 0 || says_last(d, l) < 0 ||
        set(one, N_sound, l->kind) < 0 || set(one, N_state, state) < 0 || set(one, N_called, l->called) < 0 ||
        set(one, N_reply, l->kept) < 0 || set_number(one, N_open_calls, (uint64_t)l->reply->calls_count) < 0 ||
        (model != NULL && model->size && set(one, N_model, hold(&l->held, text_object(model))) < 0) ||
        set_number(one, N_sign, l->sign) < 0)
        return -1;
    if (list_under(l->stood.lately, link, one) < 0 || late == NULL || PyDict_SetItem(late, one, Py_True) < 0 ||
        kept(d, l) < 0 || rooms(d, l) < 0)
        return -1;
    if (given(d, l) < 0 || left(d, l) < 0)
        return -1;
    if (l->found_count && noted(d, l) < 0)
        return -1;
    return shelved(d, l) < 0 || found_again(d, l) < 0 ? -1 : 0;
}
