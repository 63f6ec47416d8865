/* Everything is looked up that there is to know of a line. These functions give 0, or -1 where the line is not taken;
   those that are asked whether something is so give 1 or 0. What they change, such as what is idle, changes nothing
   that Python will do with the line. */

#include "direct.h"

/* Whose it is: Lane._known */

/* The hash of these bytes, going on from another number where there is one. */
static PyObject *hash_of(Direct *d, PyObject *bytes, PyObject *before)
{
    PyObject *args[] = {bytes, before};
    return bytes == NULL ? NULL : PyObject_Vectorcall(d->hash64, args, before == NULL ? 1 : 2, NULL);
}

static int chained(Direct *d, Line *l, uint64_t before)
{
    PyObject *link = key_of(&l->held, before);
    for (Py_ssize_t n = 0; n < l->count; n++) {
        unsigned char little[8];
        PyObject *hash = hash_of(d, d->written_of[n], NULL);
        int failed = link == NULL || hash == NULL || number(hash, &d->hashes_of[n]) < 0;
        Py_XDECREF(hash);
        if (failed)
            return -1;
        for (int m = 0; m < 8; m++)
            little[m] = (unsigned char)(d->hashes_of[n] >> 8 * m);
        PyObject *bytes = PyBytes_FromStringAndSize((char *)little, 8);
        link = d->chains_of[n] = hold(&l->held, hash_of(d, bytes, link));
        Py_XDECREF(bytes);
        if (link == NULL || number(link, &d->chain_of[n]) < 0)
            return -1;
    }
    return 0;
}

static int whose(Direct *d, Line *l)
{
    const Index *stood = &l->stood;
    uint64_t chain = l->thread;
    if (l->heard != NULL && (number_of(l->conversation, N_chain, &chain) < 0 || chain != d->chain_of[0]))
        return -1;
    if (chained(d, l, chain) < 0)
        return -1;
    if (l->heard == NULL) {
        Py_ssize_t n = l->count - 1;
        while (n >= 0 && !holds(stood, d->chains_of[n]))
            n--;
        if (n == l->count - 1)
            return -1; /* nothing is new */
        if (n < 0)
            return 0;
        PyObject *one = alone(stood, d->chains_of[n]);
        if (one == NULL)
            return -1;
        l->conversation = hold(&l->held, Py_NewRef(one));
        l->first = n + 1;
    }
    PyObject *sound = get(&l->held, l->conversation, N_sound), *hashes = get(&l->held, l->conversation, N_hashes);
    l->begin = hashes == NULL ? -1 : PyObject_Size(hashes);
    return sound == NULL || l->begin < 0 || PyObject_RichCompareBool(sound, l->kind, Py_EQ) != 1 ? -1 : 0;
}

static int around(Direct *d, Line *l)
{
    if ((l->lead = get(&l->held, l->around, N_lead)) == NULL || (l->kind = get(&l->held, l->lead, N_kind)) == NULL)
        return -1;
    return number_of(l->kind, N_thread, &l->thread) < 0 || number_of(l->kind, N_exact, &l->exact) < 0 ? -1 : 0;
}

/* An alias stands for the model that replied last. */
static int meant(Direct *d, Line *l)
{
    PyObject *alias = get(&l->held, l->lead, N_alias);
    if (alias != Py_True || l->conversation == NULL)
        return alias == NULL ? -1 : 0;
    PyObject *model = get(&l->held, l->conversation, N_model);
    l->around = model == NULL ? NULL : called_with(&l->held, d->known_as, l->around, model);
    return l->around == NULL ? -1 : around(d, l);
}

/* What its contents tell: Contents.told */

/* What each shows, from the first that is new. */
int shown(Direct *d, Line *l)
{
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        PyObject *key = key_of(&l->held, d->forms_of[n]);
        PyObject *one = key == NULL ? NULL : PyDict_GetItemWithError(d->contents, key);
        if (one == NULL && key != NULL)
            one = called_with(&l->held, d->new_content, key, d->written_of[n]);
        if (one == NULL || !Py_IS_TYPE(one, content_type))
            return -1;
        d->contents_of[n] = (Content *)hold(&l->held, Py_NewRef(one));
    }
    l->told = (Told){
        .count = (int)(l->count - l->first),
        .of = d->contents_of + l->first,
        .values = d->values_of + l->first,
        .before = d->before_of,
    };
    return 0;
}

/* What the user says, and the model where no reply of it is known, as numbers. */
int numbers_of(Direct *d, Line *l)
{
    const Told *told = &l->told;
    for (int n = 0; n < told->count; n++) {
        const Content *one = told->of[n];
        Values values = told->values[n];
        if (!real(d, l, values, one->signatures))
            return -1;
        if (one->role == USER && one->texts->count &&
            words_of(d->hash64, values, one->texts, &d->asked_of[l->asked_count++]) < 0)
            return -1;
        if (one->role == MODEL && told->fresh) {
            int id = one->calls_count ? one->calls[0].other : ABSENT;
            if (sign_of(d->hash64, values, one->texts, id, (Py_ssize_t)d->begins, &d->signs_of[l->signs_count++]) < 0)
                return -1;
        }
    }
    return 0;
}

/* How the reply before is recited. */
int recited(Direct *d, Line *l, PyObject *reply)
{
    const Outline *theirs = l->told.of[0]->outline;
    Values said;
    if (reply == NULL || Py_TYPE(reply) != (PyTypeObject *)d->reply || theirs == NULL)
        return -1;
    PyObject *saying = get(&l->held, reply, N__saying), *kept = get(&l->held, reply, N__said);
    const Outline *mine = saying == NULL || !Py_IS_TYPE(saying, reply_type) ? NULL : ((const Reply *)saying)->outline;
    if (mine == NULL || kept == NULL || unpacked(&d->spoken, kept, &said) < 0)
        return -1;
    return recital(mine, said, theirs, l->told.values[0], d->decode, &l->told.how);
}

/* The functions that are called here for the first time are added to those called so far. All are declared. */
static int called_here(Direct *d, Line *l, PyObject *declared, PyObject *seen, PyObject *all)
{
    for (int n = 0; n < l->told.count; n++) {
        const Content *one = l->told.of[n];
        for (int m = 0; one->role == MODEL && m < one->named_count; m++) {
            const Value *value = value_at(l->told.values[n], one->named[m].name);
            PyObject *name = value == NULL ? NULL : hold(&l->held, text_object(value));
            int known = name == NULL || !there(declared, name) ? -1 : PySet_Contains(seen, name);
            if (known < 0)
                return -1;
            if (known)
                continue;
            PyObject *part = hold(&l->held, PyLong_FromLong(one->named[m].part));
            PyObject *args[] = {name, hold(&l->held, PyLong_FromSsize_t(l->begin + n)),
                                part == NULL ? NULL : hold(&l->held, PyTuple_Pack(2, names[N_parts], part))};
            if (args[1] == NULL || args[2] == NULL)
                return -1;
            PyObject *named = hold(&l->held, PyObject_Vectorcall(d->named, args, 3, NULL));
            if (named == NULL || PyList_Append(all, named) < 0 || PySet_Add(seen, name) < 0)
                return -1;
        }
    }
    return 0;
}

static int functions(Direct *d, Line *l, PyObject *before, int calls)
{
    PyObject *declared = get(&l->held, l->toolbox, N_names), *seen = calls ? hold(&l->held, PySet_New(NULL)) : Py_None;
    if (declared == NULL || seen == NULL)
        return -1;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(before); n++) {
        PyObject *name = get(&l->held, PyTuple_GET_ITEM(before, n), N_name);
        if (name == NULL || !there(declared, name) || (seen != Py_None && PySet_Add(seen, name) < 0))
            return -1;
    }
    PyObject *all = seen == Py_None ? NULL : hold(&l->held, PySequence_List(before));
    if (all == NULL)
        return seen == Py_None ? 0 : -1;
    if (called_here(d, l, declared, seen, all) < 0)
        return -1;
    if (PyList_GET_SIZE(all) > PyTuple_GET_SIZE(before))
        l->called = hold(&l->held, PyList_AsTuple(all));
    return l->called == NULL ? -1 : 0;
}

static int told(Direct *d, Line *l)
{
    PyObject *one = l->conversation, *state = one == NULL ? NULL : get(&l->held, one, N_state);
    State stands = NOTHING;
    if ((one != NULL && (state == NULL || state_of(state, &stands) < 0)) || shown(d, l) < 0)
        return -1;
    l->told.fresh = one == NULL;
    if (tell(&l->told, stands) != 0 || numbers_of(d, l) < 0 ||
        (one != NULL && recited(d, l, get(&l->held, one, N_reply)) < 0))
        return -1;
    if ((l->called = one == NULL ? hold(&l->held, PyTuple_New(0)) : get(&l->held, one, N_called)) == NULL)
        return -1;
    int calls = 0;
    for (int n = 0; n < l->told.count; n++)
        calls |= l->told.of[n]->role == MODEL && l->told.of[n]->named_count;
    if (PyTuple_GET_SIZE(l->called) == 0 && !calls && l->reply->calls_count == 0)
        return 0;
    PyObject *tools = get(&l->held, l->around, N_tools);
    PyObject *held = tools == NULL ? NULL : PyDict_GetItemWithError(d->toolboxes, tools);
    if (held == NULL || (l->toolbox = hold(&l->held, Py_NewRef(PyTuple_GET_ITEM(held, 0)))) == NULL)
        return -1;
    return PyTuple_GET_SIZE(l->called) || calls ? functions(d, l, l->called, calls) : 0;
}

/* Whether the calls of the reply are of functions that are declared, with what these may be given. */
static int fit(Direct *d, Line *l)
{
    for (int n = 0; n < l->reply->calls_count; n++) {
        const Value *name = value_at(l->said, l->reply->calls[n].name);
        const Value *given = value_at(l->said, l->reply->calls[n].other);
        PyObject *bytes = given == NULL ? NULL : hold(&l->held, bytes_object(given));
        PyObject *args[] = {l->toolbox, name == NULL ? NULL : hold(&l->held, text_object(name)),
                            given == NULL   ? hold(&l->held, PyDict_New())
                            : bytes == NULL ? NULL
                                            : called_with(&l->held, d->decode, bytes, NULL)};
        if (args[1] == NULL || args[2] == NULL ||
            hold(&l->held, PyObject_VectorcallMethod(names[N_fits], args, 3, NULL)) != Py_True)
            return 0;
    }
    return 1;
}

/* What is found in these forms, if they were judged: Judgements.found, Noting.new */

static int add_found(Line *l, int place, PyObject *findings)
{
    if (findings == NULL || !PyTuple_Check(findings) || l->found_count + PyTuple_GET_SIZE(findings) > FINDINGS)
        return -1;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(findings); n++) {
        PyObject *finding = hold(&l->held, Py_NewRef(PyTuple_GET_ITEM(findings, n)));
        if (finding == NULL)
            return -1;
        l->found[l->found_count++] = (Found){place, finding};
    }
    return 0;
}

/* Where forms are told apart by what stands around them: more of it, or less. */
typedef struct {
    uint64_t narrow, wide;
} Lead;

static int lead_of(Line *l, int name, Lead *lead)
{
    PyObject *wider = get(&l->held, l->lead, N_wider);
    return wider == NULL || number_of(l->lead, name, &lead->narrow) < 0 || number_of(wider, name, &lead->wide) < 0 ? -1
                                                                                                                   : 0;
}

/* What is found in a piece. Where its form is new, Python looks whether another is known that is as good. */
static int found_in_piece(Direct *d, Line *l, const Piece *piece, const Lead *lead, int place)
{
    PyObject *key = key_of(&l->held, number_of_piece(piece, lead->narrow));
    PyObject *findings = key == NULL ? NULL : PyDict_GetItemWithError(d->sound, key);
    if (findings == NULL && key != NULL) {
        PyObject *args[] = {key, key_of(&l->held, number_of_piece(piece, lead->wide)), l->lead};
        findings = args[1] == NULL ? NULL : hold(&l->held, PyObject_Vectorcall(d->of_piece, args, 3, NULL));
    }
    return add_found(l, place, findings);
}

/* What is found in a part that names a function may hang on the name: then that of its form is None. */
static int found_in_part(Direct *d, Line *l, const Named *part, const Value *name, const Lead *lead, int place)
{
    const Piece piece = part_piece(part);
    uint64_t narrow = number_of_piece(&piece, lead->narrow);
    PyObject *key = key_of(&l->held, narrow), *findings = key == NULL ? NULL : PyDict_GetItemWithError(d->sound, key);
    if (findings == Py_None) {
        PyObject *named = key_of(&l->held, number_of_name(narrow, name));
        findings = named == NULL ? NULL : PyDict_GetItemWithError(d->sound, named);
    }
    if (findings == NULL && key != NULL) {
        PyObject *args[] = {key, key_of(&l->held, number_of_piece(&piece, lead->wide)), l->lead,
                            hold(&l->held, text_object(name))};
        if (args[1] == NULL || args[3] == NULL)
            return -1;
        findings = hold(&l->held, PyObject_Vectorcall(d->of_part, args, 4, NULL));
    }
    return add_found(l, place, findings);
}

static int found_in_all(Direct *d, Line *l)
{
    Lead contents, reply;
    if (lead_of(l, N_contents, &contents) < 0 || lead_of(l, N_reply, &reply) < 0)
        return -1;
    const Told *told = &l->told;
    for (int n = 0; n < told->count; n++) {
        Piece piece = content_piece(told, n);
        if (found_in_piece(d, l, &piece, &contents, n) < 0)
            return -1;
    }
    if (told->state == MODEL) {
        const Piece piece = ending_piece(told);
        if (found_in_piece(d, l, &piece, &contents, AT_END) < 0)
            return -1;
    }
    const Piece piece = reply_piece(l->reply, l->events, l->one);
    if (found_in_piece(d, l, &piece, &reply, IN_REPLY) < 0)
        return -1;
    for (int n = 0; n < told->count; n++) {
        const Content *one = told->of[n];
        for (int m = 0; m < one->named_count; m++) {
            const Value *name = value_at(told->values[n], one->named[m].name);
            if (found_in_part(d, l, &one->named[m], name, &contents, n) < 0)
                return -1;
        }
    }
    for (int m = 0; m < l->reply->named_count; m++) {
        const Value *name = value_at(l->said, l->reply->named[m].name);
        if (found_in_part(d, l, &l->reply->named[m], name, &reply, IN_REPLY) < 0)
            return -1;
    }
    return 0;
}

/* Which content something found is noted with; -1 where it is none. */
Py_ssize_t stands(const Line *l, const Found *found)
{
    return found->place == AT_END ? l->count - l->first - 1 : found->place < 0 ? -1 : found->place;
}

/* Whether none of it may be what was noted of something else before. */
static int all_new(Direct *d, Line *l)
{
    PyObject *notes = l->conversation == NULL ? Py_None : get(&l->held, l->conversation, N_notes);
    uint64_t dropped;
    if (notes == Py_None)
        return 1;
    if (notes == NULL || number_of(l->conversation, N_dropped, &dropped) < 0)
        return 0;
    for (int n = 0; n < l->found_count; n++) {
        PyObject *mark = get(&l->held, l->found[n].finding, N_fingerprint);
        Py_ssize_t at = stands(l, &l->found[n]);
        PyObject *noted = at < 0 || mark == NULL ? NULL : PyDict_GetItemWithError(notes, mark);
        if (noted == NULL)
            continue;
        PyObject *args[] = {noted, key_of(&l->held, d->hashes_of[l->first + at]),
                            key_of(&l->held, (uint64_t)(l->begin + at) + dropped)};
        if (args[1] == NULL || args[2] == NULL)
            return 0;
        PyObject *alike = hold(&l->held, PyObject_VectorcallMethod(names[N_alike], args, 3, NULL));
        if (alike == NULL || PyList_GET_SIZE(alike))
            return 0;
    }
    return PyErr_Occurred() == NULL;
}

static int judged(Direct *d, Line *l)
{
    PyObject *form = get(&l->held, l->around, N_form);
    PyObject *sound = form == NULL ? NULL : PyDict_GetItemWithError(d->surrounds, form);
    sound = sound == NULL && form != NULL ? called_with(&l->held, d->of_around, l->around, NULL)
                                          : hold(&l->held, Py_XNewRef(sound));
    if (sound == NULL || sound == Py_None || found_in_all(d, l) < 0 || add_found(l, AROUND, sound) < 0)
        return -1;
    return l->found_count && !all_new(d, l) ? -1 : 0;
}

/* Whether it can be of no other conversation: Threads.fresh and extends, Talk._unheard */

/* Whether some content was the last one of a conversation: then this may be a window of that. */
static int in_window(Direct *d, Line *l)
{
    Index marks;
    if (l->count == 1)
        return 0;
    if (by_marks(d, l, &marks) < 0)
        return 1;
    for (Py_ssize_t n = 0; n < l->count; n++)
        if (marked(&marks, l->thread ^ d->hashes_of[n]))
            return 1;
    return 0;
}

/* Nor do its words and what the model said tell of another; what else does was looked at before. */
static int fresh(Direct *d, Line *l)
{
    Index marks;
    if (l->count == 1)
        return 1;
    if (index_of(l, get(&l->held, d->threads, N__marked), &marks) < 0 || marked(&marks, l->thread ^ d->words))
        return 0;
    for (int n = 0; n < l->asked_count; n++)
        if (marked(&marks, l->thread ^ d->asked_of[n] ^ d->words))
            return 0;
    for (int n = 0; n < l->signs_count; n++)
        if (marked(&marks, l->thread ^ d->signs_of[n] ^ d->sign))
            return 0;
    return 1;
}

static int extends(Direct *d, Line *l)
{
    const Index *stood = &l->stood;
    PyObject *tail = get(&l->held, l->conversation, N_tail), *chain = get(&l->held, l->conversation, N_chain);
    if (tail == NULL || chain == NULL || (l->count - l->first == 1 && PyTuple_GET_SIZE(tail) == 0))
        return 0;
    if (alone(stood, chain) != l->conversation)
        return 0;
    for (Py_ssize_t n = l->first; n < l->count; n++)
        if (holds(stood, d->chains_of[n]))
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
        if (marked(&memory, l->exact ^ d->chain_of[n]))
            return 0;
    uint64_t chain;
    if (l->conversation == NULL)
        return 1;
    if (number_of(l->conversation, N_chain, &chain) < 0)
        return 0;
    PyObject *key = key_of(&l->held, l->exact ^ chain);
    if (key == NULL || there(memory.lately, key))
        return key != NULL;
    return hold(&l->held, PyObject_CallMethodOneArg(d->memory, names[N_again], key)) == Py_True;
}

static int told_to(Line *l, PyObject *keys, const uint64_t *all, Py_ssize_t count)
{
    PyObject *bytes =
        hold(&l->held, PyBytes_FromStringAndSize((const char *)all, count * (Py_ssize_t)sizeof(uint64_t)));
    return bytes == NULL || hold(&l->held, PyObject_CallMethodOneArg(keys, names[N_frombytes], bytes)) == NULL ? -1 : 0;
}

/* What a line has looked up that is taken in, for those who note it: histories, prefixes, and of a new one what else it
   might be known by. */
static int looked_up(Direct *d, Line *l)
{
    uint64_t threads[4 * MOST + 2], prefixes[MOST + 1], chain;
    Py_ssize_t of_threads = 0, of_prefixes = 0;
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        threads[of_threads++] = d->chain_of[n];
        prefixes[of_prefixes++] = l->exact ^ d->chain_of[n];
    }
    if (l->conversation != NULL) {
        if (number_of(l->conversation, N_chain, &chain) < 0)
            return -1;
        threads[of_threads++] = chain;
        prefixes[of_prefixes++] = l->exact ^ chain;
    } else if (l->count > 1) {
        for (Py_ssize_t n = 0; n < l->count; n++)
            threads[of_threads++] = l->thread ^ d->hashes_of[n];
        for (int n = 0; n < l->asked_count; n++)
            threads[of_threads++] = l->thread ^ d->asked_of[n] ^ d->words;
        for (int n = 0; n < l->signs_count; n++)
            threads[of_threads++] = l->thread ^ d->signs_of[n] ^ d->sign;
        threads[of_threads++] = l->thread ^ d->words;
    }
    int failed = told_to(l, d->of_conversations, threads, of_threads);
    return failed < 0 ? -1 : told_to(l, d->of_prefixes, prefixes, of_prefixes);
}

/* The last two contents as they are kept: Conversation.ends. Those that are long are left to Python. */
static int last_words(Direct *d, Line *l)
{
    Py_ssize_t new = l->count - l->first, size = 0;
    PyObject *last = d->written_of[l->count - 1], *before = NULL;
    if (new > 1) {
        before = d->written_of[l->count - 2];
    } else if (l->conversation != NULL) {
        PyObject *tail = get(&l->held, l->conversation, N_tail);
        if (tail == NULL)
            return -1;
        if (PyTuple_GET_SIZE(tail))
            before = PyTuple_GET_ITEM(tail, PyTuple_GET_SIZE(tail) - 1);
    }
    if (before != NULL)
        size = PyBytes_GET_SIZE(last) + (new > 1 ? PyBytes_GET_SIZE(before) : 0);
    l->words_size = size;
    l->words = hold(&l->held, before == NULL ? PyTuple_New(0) : PyTuple_Pack(2, before, last));
    return l->words == NULL || size > (Py_ssize_t)d->long_tail ? -1 : 0;
}

/* What it takes to remember the calls and signatures of the reply; long arguments Python weighs: weight in shelf.py */
static int weight(Direct *d, Line *l, PyObject *said, uint64_t *weight)
{
    const Reply *reply = l->reply;
    Py_ssize_t size = 0;
    *weight = 0;
    if (reply->pieces == 0)
        return 0;
    for (int n = 0; n < reply->calls_count; n++) {
        const Value *given = value_at(l->said, reply->calls[n].other);
        size += given == NULL ? 0 : given->size;
    }
    if (size > (Py_ssize_t)d->piece) {
        PyObject *told = called_with(&l->held, d->weigh, (PyObject *)reply, said);
        return told == NULL ? -1 : number(told, weight);
    }
    Py_ssize_t signatures = reply->many ? 0 : PyList_GET_SIZE(l->signatures);
    *weight = d->piece * (uint64_t)(reply->calls_count + signatures) + (uint64_t)size;
    return 0;
}

/* The reply as it is kept, without calling what would make it in Python. */
static PyObject *kept_reply(Direct *d, Line *l, PyObject *path, Py_ssize_t number)
{
    const Reply *told = l->reply;
    PyObject *args[] = {path, hold(&l->held, PyLong_FromSsize_t(number))};
    PyObject *origin = args[1] == NULL ? NULL : hold(&l->held, PyObject_Vectorcall(d->origin, args, 2, NULL));
    PyObject *said = hold(&l->held, packed(l->said)),
             *reply = hold(&l->held, PyType_GenericAlloc((PyTypeObject *)d->reply, 0));
    if (origin == NULL || said == NULL || reply == NULL || weight(d, l, said, &l->weighs) < 0)
        return NULL;
    PyObject *many = told->many ? Py_True : Py_False;
    PyObject *speaks = told->texts->count || told->calls_count ? Py_True : Py_False;
    int failed = set(reply, N__origin, origin) < 0 || set(reply, N__saying, (PyObject *)told) < 0 ||
                 set(reply, N__said, said) < 0 || set(reply, N__lines, l->lines ? Py_True : Py_False) < 0 ||
                 set(reply, N__text, l->text ? Py_True : Py_False) < 0 ||
                 set(reply, N__events, l->events ? Py_True : Py_False) < 0 ||
                 set(reply, N__inner, l->inner ? Py_True : Py_False) < 0 || set(reply, N_speaks, speaks) < 0 ||
                 set_number(reply, N__weight, l->weighs) < 0 || set(reply, N_failed, Py_False) < 0 ||
                 set(reply, N_many, many) < 0 || set(reply, N_doubtful, many) < 0 || set_number(reply, N_size, 0) < 0 ||
                 set(reply, N_finish, told->finish) < 0;
    return failed ? NULL : reply;
}

int look_up(Direct *d, Line *l, PyObject *path, Py_ssize_t number)
{
    return around(d, l) < 0 || index_of(l, get(&l->held, d->threads, N__stood), &l->stood) < 0 || whose(d, l) < 0 ||
                   meant(d, l) < 0 || (l->conversation == NULL && in_window(d, l)) || told(d, l) < 0 || !fit(d, l) ||
                   judged(d, l) < 0 || !(l->conversation == NULL ? fresh(d, l) : extends(d, l)) || !unheard(d, l) ||
                   last_words(d, l) < 0 || (l->kept = kept_reply(d, l, path, number)) == NULL ||
                   (d->of_prefixes != Py_None && looked_up(d, l) < 0)
               ? -1
               : 0;
}
