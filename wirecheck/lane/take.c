/* An exchange all of whose forms are known, taken in without Python.

   This is the quick lane for what is most common: what Lane.cut, Lane.usual and Quick._takes_one do with a line is done
   here on the same objects. First everything is looked up. Of what is new Python tells what it is (New in directly.py);
   where anything else is missing, or is less common, nothing has been changed, and Python takes the line from its
   beginning. Then the line is taken in, with what was found. So whatever changes there has to change here;
   tests/lane/test_direct.py holds that both leave the same behind. */

#include "said.h"
#include "numbers.h"
#include <stddef.h>
#include <structmember.h>

/* Contents that are new in a line; findings in it; objects that are held without asking for room. */
enum { MOST = 512, FINDINGS = 64, HELD = 256 };

/* Attributes that are asked for. */
#define NAMES(X) \
    X(_age) X(_before) X(_contents) X(_count) X(_events) X(_inner) X(_keep_echoes) X(_keep_reply) X(_keep_tail) \
    X(_late) X(_late_before) X(_lately) X(_length) X(_light) X(_lines) X(_marked) X(_most) X(_origin) X(_places) \
    X(_replies) X(_room) X(_said) X(_saying) X(_stood) X(_tails) X(_text) X(_turn) X(_weight) X(add) X(again) X(age) \
    X(alias) X(alike) X(all) X(around) X(at) X(called) X(chain) X(contents) X(conversation) X(doubtful) X(dropped) \
    X(end) X(events) X(exact) X(failed) X(find) X(fingerprint) X(finish) X(fits) X(form) X(frombytes) X(hashes) \
    X(held) X(inner) X(kind) X(known) X(lead) X(leave) X(length) X(light) X(line) X(lines) X(made) X(many) X(model) \
    X(move) X(move_to_end) X(name) X(names) X(notes) X(one) X(open_calls) X(opening) X(parts) X(path) X(placed) \
    X(places) X(remembers) X(remove) X(reply) X(said) X(saying) X(setting) X(severity) X(sign) X(signatures) X(size) \
    X(slices) X(sound) X(speaks) X(start) X(state) X(stream) X(tail) X(text) X(thread) X(tools) X(values) X(wider) X(words)

enum {
#define X(name) N_##name,
    NAMES(X)
#undef X
    N_COUNT
};

static const char *const SPELLED[] = {
#define X(name) #name,
    NAMES(X)
#undef X
};

static PyObject *names[N_COUNT];

/* What is given by Python. First what is known of forms, which goes for all files; then what belongs to a file. */
#define TABLES(X) X(lines) X(arounds) X(replies) X(contents) X(sound) X(surrounds)
#define CALLS(X) \
    X(hash64) X(decode) X(weigh) X(digest) X(bypassed) X(known_as) X(surrounded) X(of_around) X(of_piece) X(of_part) \
    X(new_reply) X(new_content)
#define MADE(X) \
    X(reader) X(conversation) X(reply) X(origin) X(named) X(stood) X(echoed) X(known) X(several) X(left) X(node) \
    X(array) X(typecode) X(nothing)
#define OF_FILE(X) \
    X(threads) X(memory) X(signatures) X(toolboxes) X(prefixes) X(shelf) X(counted) X(again) X(of_conversations) \
    X(of_prefixes)
#define THINGS(X) TABLES(X) CALLS(X) MADE(X) OF_FILE(X)

/* And sizes, which are told where they are decided. */
#define SIZES(X) \
    X(short_line) X(long_line) X(bypass) X(begins) X(piece) X(many) X(long_tail) X(name_size) X(reply_size) X(part_size)
#define MARKS(X) X(words) X(sign)

typedef struct {
    Value *all;
    int count, places;
} Pool;

typedef struct {
    PyObject_HEAD
#define X(name) PyObject *name;
    THINGS(X)
#undef X
#define X(name) uint64_t name;
    SIZES(X) MARKS(X)
#undef X
    Reading reading;
    Pool pool, spoken; /* values that stand together; those of the reply before */
    uint64_t hashes_of[MOST], chain_of[MOST], before_of[MOST], asked_of[MOST], signs_of[MOST];
    Content *contents_of[MOST];
    Values values_of[MOST];
    PyObject *written_of[MOST], *chains_of[MOST];
    uint64_t forms_of[MOST];
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

/* Where something is found: in a content, or with how contents end, around them, in the reply. */
enum { AT_END = -1, AROUND = -2, IN_REPLY = -3 };

typedef struct {
    int place;
    PyObject *finding;
} Found;

/* One line. What is pointed to is held until it is done with. */
typedef struct {
    PyObject **held;
    Py_ssize_t held_count, held_room;
    PyObject *line;
    const char *data;
    Py_ssize_t size, start, past, end;
    PyObject *heard, *conversation; /* or NULL */
    PyObject *around, *lead, *kind;
    uint64_t thread, exact;
    Py_ssize_t first, count, begin; /* of the contents in the line those that are new; how many come before these */
    const Reply *reply;
    PyObject *signatures; /* numbers for those of the reply */
    Values said;
    int events, one, text, inner, lines; /* a stream; of one reply; in texts; in lines of our own log */
    uint64_t sign;
    Told told;
    PyObject *called, *toolbox;
    int asked_count, signs_count, found_count;
    PyObject *words; /* the last, as they are kept */
    Py_ssize_t words_size;
    Found found[FINDINGS];
    PyObject *first_held[HELD];
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

static PyObject *called_with(Line *l, PyObject *call, PyObject *one, PyObject *two)
{
    PyObject *args[] = {one, two};
    return hold(l, PyObject_Vectorcall(call, args, two == NULL ? 1 : 2, NULL));
}

/* Looking it up. These functions give 0, or -1 where the line is not taken; those that are asked whether something is
   so give 1 or 0. What they change, such as what is idle, changes nothing that Python will do with the line. */

/* The history: Lane._heard */

static int goes_on(Direct *d, Line *l, PyObject *heard)
{
    uint64_t length;
    PyObject *known = get(l, heard, N_known);
    l->heard = hold(l, Py_NewRef(heard));
    l->conversation = known == NULL ? NULL : get(l, known, N_conversation);
    if (l->conversation == NULL || number_of(known, N_chain, &d->chain_of[0]) < 0 ||
        number_of(heard, N_length, &length) < 0)
        return -1;
    l->past = (Py_ssize_t)length;
    return 0;
}

/* Where the first content of a history stands: beginning in cuts.py */
static Py_ssize_t beginning(const char *data, Py_ssize_t size)
{
    static const char KEY[] = "\"contents\":";
    const Py_ssize_t length = sizeof(KEY) - 1;
    for (const char *p = data, *end = data + size; (p = memchr(p, '"', end - p)) != NULL; p++) {
        if (end - p < length || memcmp(p, KEY, length) != 0)
            continue;
        for (p += length; p < end && *p == ' '; p++)
            ;
        return p < end && *p == '[' ? p + 1 - data : -1;
    }
    return -1;
}

static int heard_before(Direct *d, Line *l)
{
    if (l->size <= (Py_ssize_t)d->short_line)
        return 0;
    Py_ssize_t at = beginning(l->data, l->size);
    if (at < 0)
        return 0;
    l->start = at;
    if (l->size - at <= (Py_ssize_t)d->short_line)
        return 0;
    PyObject *args[] = {d->prefixes, l->line, hold(l, PyLong_FromSsize_t(at))};
    PyObject *heard = args[2] == NULL ? NULL : hold(l, PyObject_VectorcallMethod(names[N_find], args, 3, NULL));
    return heard == NULL ? -1 : heard == Py_None ? 0 : goes_on(d, l, heard);
}

/* Values that Python holds, in room for all of them. */

static int room_for(Pool *pool, Py_ssize_t count)
{
    if (pool->count + count <= pool->places)
        return 0;
    if (pool->count) /* what stands there may not move */
        return -1;
    Value *more = PyMem_Realloc(pool->all, 2 * (size_t)count * sizeof(Value));
    if (more == NULL)
        return -1;
    pool->all = more;
    pool->places = (int)(2 * count);
    return 0;
}

static int pooled(Pool *pool, PyObject *values, Values *all)
{
    Py_ssize_t count = PyTuple_Check(values) ? PyTuple_GET_SIZE(values) : -1;
    if (count < 0 || pool->count + count > pool->places)
        return -1;
    *all = (Values){pool->all + pool->count, (int)count};
    for (Py_ssize_t n = 0; n < count; n++) {
        PyObject *one = PyTuple_GET_ITEM(values, n);
        Value *value = &pool->all[pool->count++];
        *value = (Value){.what = PyUnicode_Check(one) ? TEXT : BYTES};
        if (PyUnicode_Check(one)) {
            value->text = PyUnicode_AsUTF8AndSize(one, &value->size);
        } else if (PyBytes_Check(one)) {
            value->text = PyBytes_AS_STRING(one);
            value->size = PyBytes_GET_SIZE(one);
        }
        if (value->text == NULL)
            return -1;
    }
    return 0;
}

/* A reply that is kept as it was said. */
static int spoken(Pool *pool, PyObject *said, Values *all)
{
    if (!PyBytes_Check(said) || room_for(pool, packed_count(said)) < 0)
        return -1;
    *all = unpacked(said, pool->all + pool->count);
    pool->count += all->count;
    return 0;
}

/* The pieces of the line: Cutter.cut */

static int number_in(Values values, uint64_t place, uint64_t *value)
{
    const Value *one = value_at(values, (int)place);
    *value = one == NULL ? 0 : one->number;
    return one == NULL ? -1 : 0;
}

/* What stands around the contents. Tools that were let go Python makes again; those that are there are not idle. */
static int surrounded(Direct *d, Line *l, PyObject *known, Values values)
{
    PyObject *setting = get(l, known, N_setting), *tools = setting == NULL ? NULL : get(l, known, N_tools);
    uint64_t place, stamp = 0;
    if (tools == NULL || setting == Py_None ||
        (tools != Py_None && (number(tools, &place) < 0 || number_in(values, place, &stamp) < 0)))
        return -1;
    PyObject *key = key_of(l, mix(mix(seed, d->reading.number), stamp));
    PyObject *around = key == NULL ? NULL : PyDict_GetItemWithError(d->arounds, key);
    if (around == NULL) {
        PyObject *args[] = {key, known, key_of(l, stamp), l->line};
        PyObject *found = key == NULL || args[2] == NULL ? NULL : hold(l, PyObject_Vectorcall(d->surrounded, args, 4, NULL));
        around = found == NULL ? NULL : PyTuple_GET_ITEM(found, 0);
    }
    if (around == NULL || (l->around = hold(l, Py_NewRef(around))) == NULL)
        return -1;
    PyObject *digest = get(l, l->around, N_tools);
    return digest == NULL || !there(d->toolboxes, digest) ||
                   hold(l, PyObject_CallMethodOneArg(d->toolboxes, names[N_move_to_end], digest)) == NULL
               ? -1
               : 0;
}

static int contents_of(Direct *d, Line *l, const Value *contents)
{
    Values forms = values_of(&d->reading, contents);
    l->count = forms.count;
    if (l->count == 0 || l->count > MOST)
        return -1;
    for (Py_ssize_t n = 0; n < l->count; n++) {
        const Value *form = &forms.all[n];
        d->forms_of[n] = form->number;
        d->values_of[n] = values_of(&d->reading, form);
        if ((d->written_of[n] = hold(l, PyBytes_FromStringAndSize(form->text, form->size))) == NULL)
            return -1;
    }
    l->end = forms.all[l->count - 1].text + forms.all[l->count - 1].size - l->data;
    return 0;
}

/* The values of all chunks as one, and a number for their forms. */
static int together(Direct *d, Line *l, Values chunks, uint64_t *form)
{
    Py_ssize_t count = 0;
    for (int n = 0; n < chunks.count; n++)
        count += chunks.all[n].count;
    if (room_for(&d->pool, count) < 0)
        return -1;
    Value *all = d->pool.all + d->pool.count;
    l->said = (Values){all, (int)count};
    d->pool.count += (int)count;
    *form = seed;
    for (int n = 0; n < chunks.count; n++) {
        Values one = values_of(&d->reading, &chunks.all[n]);
        memcpy(all, one.all, (size_t)one.count * sizeof(Value));
        all += one.count;
        *form = mix(*form, chunks.all[n].number);
    }
    return 0;
}

/* The reply: Replies.said */

/* The number of a signature: digest_of in talk/piece.py, for those that have no bits that say nothing. */
static PyObject *digest_of(Direct *d, Line *l, const Value *written)
{
    static const char *const LAST[] = {NULL, NULL, "AQgw", "AEIMQUYcgkosw048"};
    Py_ssize_t size = written->size;
    while (size && written->text[size - 1] == '=')
        size--;
    const char *last = LAST[size % 4];
    PyObject *plain = hold(l, PyBytes_FromStringAndSize(written->text, size));
    if (plain == NULL || size == 0)
        return NULL;
    int exact = size == written->size || (last != NULL && strchr(last, written->text[size - 1]) != NULL);
    return called_with(l, exact ? d->hash64 : d->digest, plain, NULL);
}

static int signatures_of(Direct *d, Line *l)
{
    if ((l->signatures = hold(l, PyList_New(0))) == NULL)
        return -1;
    for (int n = 0; n < l->reply->signatures->count; n++) {
        const Value *one = value_at(l->said, l->reply->signatures->at[n]);
        PyObject *digest = one == NULL ? NULL : digest_of(d, l, one);
        if (digest == NULL || PyList_Append(l->signatures, digest) < 0)
            return -1;
    }
    return 0;
}

/* Whether none of them is a text that stands in for a signature: these are short. */
static int real(Direct *d, Line *l, Values values, const Places *places)
{
    for (int n = 0; n < places->count; n++) {
        const Value *one = value_at(values, places->at[n]);
        if (one == NULL)
            return 0;
        if (one->size >= (Py_ssize_t)d->bypass)
            continue;
        PyObject *written = hold(l, bytes_object(one));
        PyObject *several = written == NULL ? NULL : hold(l, PyTuple_Pack(1, written));
        if (several == NULL || called_with(l, d->bypassed, several, NULL) != Py_False)
            return 0;
    }
    return 1;
}

static int of_one(Values said, const Places *ids)
{
    const Value *first = ids->count ? value_at(said, ids->at[0]) : NULL;
    for (int n = 1; n < ids->count; n++) {
        const Value *other = value_at(said, ids->at[n]);
        if (other == NULL || other->size != first->size || memcmp(other->text, first->text, first->size) != 0)
            return 0;
    }
    return 1;
}

static int replied(Direct *d, Line *l, PyObject *known, const Value *said)
{
    PyObject *stream = get(l, known, N_stream);
    uint64_t form;
    if (stream == NULL)
        return -1;
    l->text = stream != Py_None;
    l->events = stream == Py_True;
    Values chunks = l->text ? values_of(&d->reading, said) : (Values){said, 1};
    if (together(d, l, chunks, &form) < 0)
        return -1;
    PyObject *key = key_of(l, form), *reply = key == NULL ? NULL : PyDict_GetItemWithError(d->replies, key);
    if (reply == NULL && key != NULL) {
        PyObject *args[] = {key, known, l->line, key_of(l, (uint64_t)l->start), key_of(l, (uint64_t)l->past)};
        reply = args[3] == NULL || args[4] == NULL ? NULL : PyObject_Vectorcall(d->new_reply, args, 5, NULL);
        hold(l, reply);
    }
    if (reply == NULL || !Py_IS_TYPE(reply, reply_type))
        return -1;
    l->reply = (const Reply *)hold(l, Py_NewRef(reply));
    if (l->reply == NULL || !real(d, l, l->said, l->reply->signatures) || signatures_of(d, l) < 0)
        return -1;
    l->one = of_one(l->said, l->reply->ids);
    return sign_of(d->hash64, l->said, l->reply->texts, l->reply->id, (Py_ssize_t)d->begins, &l->sign);
}

static int cut(Direct *d, Line *l)
{
    Reading *r = &d->reading;
    uint64_t contents, reply;
    if (l->size - l->past > (Py_ssize_t)d->long_line ||
        recognise(r, table_of(d->reader), l->data, l->size, 0, l->start, l->past) < 0)
        return -1;
    Values values = {r->values, (int)r->count};
    PyObject *key = key_of(l, r->number), *known = key == NULL ? NULL : PyDict_GetItemWithError(d->lines, key);
    known = known == NULL ? NULL : hold(l, Py_NewRef(known));
    if (known == NULL || surrounded(d, l, known, values) < 0 || number_of(known, N_contents, &contents) < 0 ||
        number_of(known, N_reply, &reply) < 0)
        return -1;
    const Value *asked = value_at(values, (int)contents), *said = value_at(values, (int)reply);
    return asked == NULL || said == NULL || contents_of(d, l, asked) < 0 ? -1 : replied(d, l, known, said);
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
        PyObject *hash = hash_of(d, d->written_of[n], NULL);
        int failed = link == NULL || hash == NULL || number(hash, &d->hashes_of[n]) < 0;
        Py_XDECREF(hash);
        if (failed)
            return -1;
        for (int m = 0; m < 8; m++)
            little[m] = (unsigned char)(d->hashes_of[n] >> 8 * m);
        PyObject *bytes = PyBytes_FromStringAndSize((char *)little, 8);
        link = d->chains_of[n] = hold(l, hash_of(d, bytes, link));
        Py_XDECREF(bytes);
        if (link == NULL || number(link, &d->chain_of[n]) < 0)
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

static int whose(Direct *d, Line *l, const Index *stood)
{
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
        l->conversation = hold(l, Py_NewRef(one));
        l->first = n + 1;
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

/* What its contents tell: Contents.told */

/* What each shows, from the first that is new. */
static int shown(Direct *d, Line *l)
{
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        PyObject *key = key_of(l, d->forms_of[n]);
        PyObject *one = key == NULL ? NULL : PyDict_GetItemWithError(d->contents, key);
        if (one == NULL && key != NULL)
            one = called_with(l, d->new_content, key, d->written_of[n]);
        if (one == NULL || !Py_IS_TYPE(one, content_type))
            return -1;
        d->contents_of[n] = (Content *)hold(l, Py_NewRef(one));
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
static int numbers_of(Direct *d, Line *l)
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
static int recited(Direct *d, Line *l, PyObject *reply)
{
    const Outline *theirs = l->told.of[0]->outline;
    Values said;
    if (reply == NULL || Py_TYPE(reply) != (PyTypeObject *)d->reply || theirs == NULL)
        return -1;
    PyObject *saying = get(l, reply, N__saying), *kept = get(l, reply, N__said);
    const Outline *mine =
        saying == NULL || !Py_IS_TYPE(saying, reply_type) ? NULL : ((const Reply *)saying)->outline;
    if (mine == NULL || kept == NULL || spoken(&d->spoken, kept, &said) < 0)
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
            PyObject *name = value == NULL ? NULL : hold(l, text_object(value));
            int known = name == NULL || !there(declared, name) ? -1 : PySet_Contains(seen, name);
            if (known < 0)
                return -1;
            if (known)
                continue;
            PyObject *part = hold(l, PyLong_FromLong(one->named[m].part));
            PyObject *args[] = {name, hold(l, PyLong_FromSsize_t(l->begin + n)),
                                part == NULL ? NULL : hold(l, PyTuple_Pack(2, names[N_parts], part))};
            if (args[1] == NULL || args[2] == NULL)
                return -1;
            PyObject *named = hold(l, PyObject_Vectorcall(d->named, args, 3, NULL));
            if (named == NULL || PyList_Append(all, named) < 0 || PySet_Add(seen, name) < 0)
                return -1;
        }
    }
    return 0;
}

static int functions(Direct *d, Line *l, PyObject *before, int calls)
{
    PyObject *declared = get(l, l->toolbox, N_names), *seen = calls ? hold(l, PySet_New(NULL)) : Py_None;
    if (declared == NULL || seen == NULL)
        return -1;
    for (Py_ssize_t n = 0; n < PyTuple_GET_SIZE(before); n++) {
        PyObject *name = get(l, PyTuple_GET_ITEM(before, n), N_name);
        if (name == NULL || !there(declared, name) || (seen != Py_None && PySet_Add(seen, name) < 0))
            return -1;
    }
    PyObject *all = seen == Py_None ? NULL : hold(l, PySequence_List(before));
    if (all == NULL)
        return seen == Py_None ? 0 : -1;
    if (called_here(d, l, declared, seen, all) < 0)
        return -1;
    if (PyList_GET_SIZE(all) > PyTuple_GET_SIZE(before))
        l->called = hold(l, PyList_AsTuple(all));
    return l->called == NULL ? -1 : 0;
}

static int told(Direct *d, Line *l)
{
    PyObject *one = l->conversation, *state = one == NULL ? NULL : get(l, one, N_state);
    State stands = NOTHING;
    if ((one != NULL && (state == NULL || state_of(state, &stands) < 0)) || shown(d, l) < 0)
        return -1;
    l->told.fresh = one == NULL;
    if (tell(&l->told, stands) != 0 || numbers_of(d, l) < 0 || (one != NULL && recited(d, l, get(l, one, N_reply)) < 0))
        return -1;
    if ((l->called = one == NULL ? hold(l, PyTuple_New(0)) : get(l, one, N_called)) == NULL)
        return -1;
    int calls = 0;
    for (int n = 0; n < l->told.count; n++)
        calls |= l->told.of[n]->role == MODEL && l->told.of[n]->named_count;
    if (PyTuple_GET_SIZE(l->called) == 0 && !calls && l->reply->calls_count == 0)
        return 0;
    PyObject *tools = get(l, l->around, N_tools);
    PyObject *held = tools == NULL ? NULL : PyDict_GetItemWithError(d->toolboxes, tools);
    if (held == NULL || (l->toolbox = hold(l, Py_NewRef(PyTuple_GET_ITEM(held, 0)))) == NULL)
        return -1;
    return PyTuple_GET_SIZE(l->called) || calls ? functions(d, l, l->called, calls) : 0;
}

/* Whether the calls of the reply are of functions that are declared, with what these may be given. */
static int fit(Direct *d, Line *l)
{
    for (int n = 0; n < l->reply->calls_count; n++) {
        const Value *name = value_at(l->said, l->reply->calls[n].name);
        const Value *given = value_at(l->said, l->reply->calls[n].other);
        PyObject *bytes = given == NULL ? NULL : hold(l, bytes_object(given));
        PyObject *args[] = {l->toolbox, name == NULL ? NULL : hold(l, text_object(name)),
                            given == NULL   ? hold(l, PyDict_New())
                            : bytes == NULL ? NULL
                                            : called_with(l, d->decode, bytes, NULL)};
        if (args[1] == NULL || args[2] == NULL ||
            hold(l, PyObject_VectorcallMethod(names[N_fits], args, 3, NULL)) != Py_True)
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
        PyObject *finding = hold(l, Py_NewRef(PyTuple_GET_ITEM(findings, n)));
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
    PyObject *wider = get(l, l->lead, N_wider);
    return wider == NULL || number_of(l->lead, name, &lead->narrow) < 0 || number_of(wider, name, &lead->wide) < 0 ? -1 : 0;
}

/* What is found in a piece. Where its form is new, Python looks whether another is known that is as good. */
static int found_in_piece(Direct *d, Line *l, const Piece *piece, const Lead *lead, int place)
{
    PyObject *key = key_of(l, number_of_piece(piece, lead->narrow));
    PyObject *findings = key == NULL ? NULL : PyDict_GetItemWithError(d->sound, key);
    if (findings == NULL && key != NULL) {
        PyObject *args[] = {key, key_of(l, number_of_piece(piece, lead->wide)), l->lead};
        findings = args[1] == NULL ? NULL : hold(l, PyObject_Vectorcall(d->of_piece, args, 3, NULL));
    }
    return add_found(l, place, findings);
}

/* What is found in a part that names a function may hang on the name: then that of its form is None. */
static int found_in_part(Direct *d, Line *l, const Named *part, const Value *name, const Lead *lead, int place)
{
    const Piece piece = part_piece(part);
    uint64_t narrow = number_of_piece(&piece, lead->narrow);
    PyObject *key = key_of(l, narrow), *findings = key == NULL ? NULL : PyDict_GetItemWithError(d->sound, key);
    if (findings == Py_None) {
        PyObject *named = key_of(l, number_of_name(narrow, name));
        findings = named == NULL ? NULL : PyDict_GetItemWithError(d->sound, named);
    }
    if (findings == NULL && key != NULL) {
        PyObject *args[] = {key, key_of(l, number_of_piece(&piece, lead->wide)), l->lead, hold(l, text_object(name))};
        if (args[1] == NULL || args[3] == NULL)
            return -1;
        findings = hold(l, PyObject_Vectorcall(d->of_part, args, 4, NULL));
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
static Py_ssize_t stands(const Line *l, const Found *found)
{
    return found->place == AT_END ? l->count - l->first - 1 : found->place < 0 ? -1 : found->place;
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
    for (int n = 0; n < l->found_count; n++) {
        PyObject *mark = get(l, l->found[n].finding, N_fingerprint);
        Py_ssize_t at = stands(l, &l->found[n]);
        PyObject *noted = at < 0 || mark == NULL ? NULL : PyDict_GetItemWithError(notes, mark);
        if (noted == NULL)
            continue;
        PyObject *args[] = {noted, key_of(l, d->hashes_of[l->first + at]), key_of(l, (uint64_t)(l->begin + at) + dropped)};
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
    PyObject *form = get(l, l->around, N_form);
    PyObject *sound = form == NULL ? NULL : PyDict_GetItemWithError(d->surrounds, form);
    sound = sound == NULL && form != NULL ? called_with(l, d->of_around, l->around, NULL) : hold(l, Py_XNewRef(sound));
    if (sound == NULL || sound == Py_None || found_in_all(d, l) < 0 || add_found(l, AROUND, sound) < 0)
        return -1;
    return l->found_count && !all_new(d, l) ? -1 : 0;
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
        if (marked(&by_marks, l->thread ^ d->hashes_of[n]))
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
        if (marked(&by_marks, l->thread ^ d->asked_of[n] ^ d->words))
            return 0;
    for (int n = 0; n < l->signs_count; n++)
        if (marked(&by_marks, l->thread ^ d->signs_of[n] ^ d->sign))
            return 0;
    return 1;
}

static int extends(Direct *d, Line *l, const Index *stood)
{
    PyObject *tail = get(l, l->conversation, N_tail), *chain = get(l, l->conversation, N_chain);
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
        PyObject *told = called_with(l, d->weigh, (PyObject *)reply, said);
        return told == NULL ? -1 : number(told, weight);
    }
    Py_ssize_t signatures = reply->many ? 0 : PyList_GET_SIZE(l->signatures);
    *weight = d->piece * (uint64_t)(reply->calls_count + signatures) + (uint64_t)size;
    return 0;
}

/* The reply as it is kept, without calling what would make it in Python. */
static PyObject *kept_reply(Direct *d, Line *l, PyObject *path, Py_ssize_t number, uint64_t *weighs)
{
    const Reply *told = l->reply;
    PyObject *args[] = {path, hold(l, PyLong_FromSsize_t(number))};
    PyObject *origin = args[1] == NULL ? NULL : hold(l, PyObject_Vectorcall(d->origin, args, 2, NULL));
    PyObject *said = hold(l, packed(l->said)), *reply = hold(l, PyType_GenericAlloc((PyTypeObject *)d->reply, 0));
    if (origin == NULL || said == NULL || reply == NULL || weight(d, l, said, weighs) < 0)
        return NULL;
    PyObject *many = told->many ? Py_True : Py_False;
    PyObject *speaks = told->texts->count || told->calls_count ? Py_True : Py_False;
    int failed = set(reply, N__origin, origin) < 0 || set(reply, N__saying, (PyObject *)told) < 0 ||
                 set(reply, N__said, said) < 0 || set(reply, N__lines, l->lines ? Py_True : Py_False) < 0 ||
                 set(reply, N__text, l->text ? Py_True : Py_False) < 0 ||
                 set(reply, N__events, l->events ? Py_True : Py_False) < 0 ||
                 set(reply, N__inner, l->inner ? Py_True : Py_False) < 0 || set(reply, N_speaks, speaks) < 0 ||
                 set_number(reply, N__weight, *weighs) < 0 || set(reply, N_failed, Py_False) < 0 ||
                 set(reply, N_many, many) < 0 || set(reply, N_doubtful, many) < 0 || set_number(reply, N_size, 0) < 0 ||
                 set(reply, N_finish, told->finish) < 0;
    return failed ? NULL : reply;
}

/* Taking it in: Talk.go_on, Noting.note and Lane.went_on. What fails from here on is an error. */

/* Where the server made the calls that are recited. */
static int remembers(Direct *d, Line *l)
{
    PyObject *reply = get(l, l->conversation, N_reply);
    PyObject *made = reply == NULL ? NULL : hold(l, PyObject_CallMethodNoArgs(reply, names[N_made]));
    PyObject *echoed = made == NULL ? NULL : called_with(l, d->echoed, made, NULL);
    PyObject *begin = hold(l, PyLong_FromSsize_t(l->begin)), *hash = key_of(l, d->hashes_of[l->first]);
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
    return one == NULL || set_number(one, N_opening, l->asked_count ? d->asked_of[0] : 0) < 0 ? NULL : one;
}

/* What its user said last; the same number where that is what he said first. */
static int says_last(Direct *d, Line *l)
{
    if (l->asked_count == 0)
        return 0;
    PyObject *opening = l->asked_count == 1 ? get(l, l->conversation, N_opening) : NULL;
    uint64_t words = d->asked_of[l->asked_count - 1], first;
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
            if (PyList_Append(links, d->chains_of[n]) < 0)
                return -1;
        return hold(l, PyObject_VectorcallMethod(names[N_leave], args, 4, NULL)) == NULL ? -1 : 0;
    }
    if (PyTuple_GET_SIZE(path))
        one = called_with(l, d->left, one, path);
    for (Py_ssize_t n = l->first; n < l->count; n++) {
        PyObject *key = key_of(l, l->exact ^ d->chain_of[n]);
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
    const Reply *told = l->reply;
    PyObject *room = get(l, d->shelf, N__room), *held = room == NULL ? NULL : get(l, room, N_held);
    PyObject *name = get(l, l->conversation, N_name), *said = get(l, reply, N__said);
    uint64_t light;
    if (held == NULL || name == NULL || said == NULL || number_of(room, N_light, &light) < 0)
        return -1;
    uint64_t places = (uint64_t)(told->texts->count + told->calls_count + told->signatures->count);
    uint64_t size = d->reply_size + d->part_size * places + (uint64_t)PyBytes_GET_SIZE(said);
    if (size <= light && !there(held, name))
        return 0;
    PyObject *args[] = {d->shelf, reply, l->conversation};
    return hold(l, PyObject_VectorcallMethod(names[N_add], args, 3, NULL)) == NULL ? -1 : 0;
}

/* A long history is to be found again in a line: Lane.went_on */
static int found_again(Direct *d, Line *l)
{
    if (l->start == 0 || l->size - l->start <= (Py_ssize_t)d->short_line)
        return 0;
    PyObject *stood = called_with(l, d->stood, l->conversation, d->chains_of[l->count - 1]);
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
    PyObject *args[] = {finding, key_of(l, d->hashes_of[l->first + at]), key_of(l, (uint64_t)(l->begin + at) + dropped)};
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
    for (int n = 0; n < l->found_count; n++) {
        PyObject *finding = l->found[n].finding;
        if (l->found[n].place == AROUND) {
            PyObject *again = called_with(l, d->again, finding, one);
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
        PyObject *key = key_of(l, l->exact ^ d->chain_of[l->first + n]);
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
    PyObject *link = d->chains_of[l->count - 1];
    PyObject *bytes =
        hold(l, PyBytes_FromStringAndSize((char *)(d->hashes_of + l->first), new * (Py_ssize_t)sizeof(uint64_t)));
    PyObject *state = hold(l, PyUnicode_InternFromString(state_name(l->told.state)));
    const Value *model = value_at(l->said, l->reply->model);
    if (bytes == NULL || state == NULL)
        return -1;
    if (l->conversation == NULL) {
        if ((l->conversation = begun(d, l, bytes)) == NULL)
            return -1;
    } else {
        PyObject *hashes = get(l, l->conversation, N_hashes);
        if ((l->told.calls && remembers(d, l) < 0) || unlisted(d, l, stood) < 0 || hashes == NULL ||
            hold(l, PyObject_CallMethodOneArg(hashes, names[N_frombytes], bytes)) == NULL ||
            set(l->conversation, N_at, Py_None) < 0)
            return -1;
    }
    PyObject *one = l->conversation, *late = get(l, d->threads, N__late);
    if (set(one, N_tail, l->words) < 0 || set(one, N_chain, link) < 0 || says_last(d, l) < 0 ||
        set(one, N_sound, l->kind) < 0 || set(one, N_state, state) < 0 || set(one, N_called, l->called) < 0 ||
        set(one, N_reply, reply) < 0 || set_number(one, N_open_calls, (uint64_t)l->reply->calls_count) < 0 ||
        (model != NULL && model->size && set(one, N_model, hold(l, text_object(model))) < 0) ||
        set_number(one, N_sign, l->sign) < 0)
        return -1;
    if (list_under(stood->lately, link, one) < 0 || late == NULL || PyDict_SetItem(late, one, Py_True) < 0 ||
        kept(d, l) < 0 || rooms(d, l, weighs) < 0)
        return -1;
    if (given(d, l) < 0 || left(d, l) < 0)
        return -1;
    if (l->found_count && noted(d, l) < 0)
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
        judged(d, l) < 0 || !(l->conversation == NULL ? fresh(d, l) : extends(d, l, &stood)) || !unheard(d, l) ||
        last_words(d, l) < 0 || (reply = kept_reply(d, l, path, number, &weighs)) == NULL ||
        (d->of_prefixes != Py_None && looked_up(d, l) < 0))
        return refused();
    return taken_in(d, l, &stood, reply, weighs) < 0 ? -1 : 1;
}

static void set_out(Direct *d, Line *l, PyObject *line)
{
    memset(l, 0, offsetof(Line, found));
    l->held = l->first_held;
    l->held_room = HELD;
    l->line = line;
    l->data = PyBytes_AS_STRING(line);
    l->size = PyBytes_GET_SIZE(line);
    d->pool.count = d->spoken.count = 0;
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
    static const char EXCHANGE[] = "{\"request\":";
    Line l;
    if (PyBytes_GET_SIZE(line) < (Py_ssize_t)sizeof(EXCHANGE) ||
        memcmp(PyBytes_AS_STRING(line), EXCHANGE, sizeof(EXCHANGE) - 1) != 0)
        return 0;
    set_out(d, &l, line);
    if (heard_before(d, &l) < 0 || cut(d, &l) < 0)
        return done(&l, refused());
    return done(&l, take_pieces(d, &l, path, number));
}

/* Contents as Python has read them: the number and the values of each, and as they are written. */
static int contents_from(Direct *d, Line *l, PyObject *contents, PyObject *written, Py_ssize_t more)
{
    if (!PyTuple_Check(contents) || !PyList_Check(written) || PyTuple_GET_SIZE(contents) != PyList_GET_SIZE(written))
        return -1;
    l->count = PyTuple_GET_SIZE(contents);
    if (l->count == 0 || l->count > MOST)
        return -1;
    for (Py_ssize_t n = 0; n < l->count; n++)
        more += PyTuple_GET_SIZE(PyTuple_GET_ITEM(PyTuple_GET_ITEM(contents, n), 1));
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
    PyObject *contents = get(l, one, N_contents), *written = get(l, one, N_slices), *said = get(l, one, N_said);
    PyObject *reply = said == NULL ? NULL : get(l, said, N_saying);
    PyObject *values = reply == NULL ? NULL : get(l, said, N_values);
    PyObject *events = values == NULL ? NULL : get(l, said, N_events);
    PyObject *same_reply = events == NULL ? NULL : get(l, said, N_one);
    PyObject *text = get(l, one, N_text), *inner = get(l, one, N_inner);
    uint64_t start, end, lines;
    l->around = get(l, one, N_around);
    if (contents == NULL || written == NULL || same_reply == NULL || text == NULL || inner == NULL || l->around == NULL ||
        !Py_IS_TYPE(reply, reply_type) || !PyTuple_Check(values) || number_of(one, N_start, &start) < 0 ||
        number_of(one, N_end, &end) < 0 || number_of(one, N_lines, &lines) < 0 ||
        number_of(said, N_sign, &l->sign) < 0 || (l->signatures = get(l, said, N_signatures)) == NULL ||
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
    set_out(d, &l, line);
    int taken = pieces_of(d, &l, args[0], args[1]) < 0 ? refused() : take_pieces(d, &l, args[2], number);
    taken = done(&l, taken);
    Py_DECREF(line);
    return taken < 0 ? NULL : PyBool_FromLong(taken);
}

/* What contents tell, for Python: the state after them, whether calls are recited, the words of the user and what the
   model says as numbers, the functions that are called, and the forms of all pieces: (kind, content, part, three numbers,
   name or None). */

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
        int failed =
            name == NULL ||
            add_object(pieces, Py_BuildValue("ii(KKKK)O", n, part->part, piece.kind, piece.one, piece.two, piece.three,
                                             name)) < 0 ||
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
                        : Py_BuildValue("sOOOOO", state_name(told->state), told->calls ? Py_True : Py_False, asked, signs,
                                        calls, pieces);
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
        PyErr_SetString(PyExc_TypeError, "tell(contents: tuple, written: list, first: int, state: str | None, reply: Any)");
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
    failed = failed || tell(&l.told, state) != 0 || numbers_of(d, &l) < 0 ||
             (!l.told.fresh && recited(d, &l, args[4]) < 0);
    return answer(&l, failed ? NULL : told_object(d, &l));
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
    return answer(&l, last < 1 ? NULL
                               : Py_BuildValue("(KK)(KK)", l.told.before[last - 1], l.told.of[last - 1]->form,
                                               l.told.before[last], l.told.of[last]->form));
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
    if (d != NULL)
        open_reading(&d->reading);
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
    PyMem_Free(d->pool.all);
    PyMem_Free(d->spoken.all);
    type->tp_free(d);
    Py_DECREF(type);
}

static PyMethodDef direct_methods[] = {
    {"run", (PyCFunction)(void (*)(void))direct_run, METH_FASTCALL,
     "run(lines, begin, path, number)\n--\n\nHow many of these lines, from one on, were taken in."},
    {"tell", (PyCFunction)(void (*)(void))direct_tell, METH_FASTCALL,
     "tell(contents, written, first, state, reply)\n--\n\n"
     "What contents tell from one on that go on from a state with a reply, or from nothing; None where that is not\n"
     "usual."},
    {"seam", (PyCFunction)(void (*)(void))direct_seam, METH_FASTCALL,
     "seam(contents, written)\n--\n\nOf the last two contents, what stands before each and its form; None likewise."},
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
    if (spoken(&pool, bytes, &all) < 0) {
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
    {"piece", piece_number, METH_VARARGS, "piece(lead, kind, one, two, three)\n--\n\nA number for the form of a piece."},
    {"named", name_number, METH_VARARGS, "named(piece, name)\n--\n\nThe same of a part that names this function."},
    {"pack", pack_values, METH_O, "pack(values)\n--\n\nTexts and bytes, to be kept."},
    {"unpack", unpack_values, METH_O, "unpack(packed)\n--\n\nThe texts and bytes that are kept."},
    {NULL},
};

int take_ready(PyObject *module)
{
    for (int n = 0; n < N_COUNT; n++)
        if (names[n] == NULL && (names[n] = PyUnicode_InternFromString(SPELLED[n])) == NULL)
            return -1;
    PyObject *type = PyType_FromSpec(&direct_spec);
    int failed = type == NULL || PyModule_AddObjectRef(module, "Direct", type) < 0 ||
                 PyModule_AddFunctions(module, functions_for_python) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
