/* What is said in contents and replies of known shapes: how contents follow one another, whether what is recited is
   what was said, and numbers for the forms that rules see.

   What a shape shows Python says (contents.py, replies.py): where among its values there are texts, names, ids and
   signatures. Nothing here knows a rule. Places that are wrong cannot come, and would be nothing. */

#include "said.h"
#include "numbers.h"
#include <limits.h>
#include <stddef.h>
#include <structmember.h>

PyTypeObject *content_type, *reply_type, *outline_type;
static const char *const STATE_NAMES[STATES] = {"nothing", "user", "model", "answers"};

const char *state_name(State state)
{
    return STATE_NAMES[state];
}

int state_of(PyObject *name, State *state)
{
    for (int n = 0; n < STATES; n++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, STATE_NAMES[n]) == 0) {
            *state = (State)n;
            return 0;
        }
    return -1;
}

PyObject *text_object(const Value *value)
{
    return value == NULL ? PyUnicode_New(0, 0) : PyUnicode_DecodeUTF8(value->text, value->size, NULL);
}

PyObject *bytes_object(const Value *value)
{
    return PyBytes_FromStringAndSize(value == NULL ? NULL : value->text, value == NULL ? 0 : value->size);
}

/* Whether the same stands in two places; nothing is like nothing. */
static int alike(Values values, int place, Values others, int other)
{
    const Value *one = value_at(values, place), *two = value_at(others, other);
    if (one == NULL || two == NULL)
        return place == other;
    return one->size == two->size && memcmp(one->text, two->text, one->size) == 0;
}

/* How contents follow one another. Where functions are called, each call is answered by the next content, in order and
   under its name, and with its id or none has one. Of a history that goes on, the reply before is the first content. */

static int answered(const Content *calls, Values made, const Content *answers, Values given)
{
    if (answers->calls_count || calls->calls_count != answers->answers_count || calls->doubled)
        return 0;
    for (int n = 0; n < calls->calls_count; n++) {
        const Pair *call = &calls->calls[n], *answer = &answers->answers[n];
        if (!alike(made, call->name, given, answer->name) || !alike(made, call->other, given, answer->other))
            return 0;
    }
    return 1;
}

/* One more content, where the one before it may wait for answers. Whether this one does; or -1. */
static int hear(Told *told, int n, int waits)
{
    const Content *content = told->of[n];
    told->before[n] = waits ? STATES + told->of[n - 1]->form : (uint64_t)told->state;
    if (content->role == MODEL) {
        if (waits || content->answers_count || (n && !told->fresh)) /* of what comes later no reply is known */
            return -1;
        told->calls |= content->calls_count && !told->fresh;
        told->state = MODEL;
        return content->calls_count > 0;
    }
    if (n == 0 && !told->fresh) /* the reply is left out */
        return -1;
    if (content->texts->count)
        told->question = n;
    if (waits) {
        told->state = ANSWERS;
        return answered(told->of[n - 1], told->values[n - 1], content, told->values[n]) ? 0 : -1;
    }
    if (content->named_count)
        return -1;
    if (told->state != ANSWERS) /* after responses it is still their turn */
        told->state = USER;
    return 0;
}

int tell(Told *told, State state)
{
    int waits = 0;
    told->state = state;
    told->question = told->calls = 0;
    told->how = 0;
    for (int n = 0; n < told->count; n++)
        if ((waits = hear(told, n, waits)) < 0)
            return -1;
    return told->count ? waits : -1;
}

/* How a reply is recited: word for word, or with ids that the client added. Thoughts are left out. */

/* These texts as one, with something between them. */
static PyObject *joined(Values values, const Places *places, char between)
{
    Py_ssize_t size = 0;
    for (int n = 0; n < places->count; n++) {
        const Value *one = value_at(values, places->at[n]);
        size += (one == NULL ? 0 : one->size) + (n && between);
    }
    PyObject *all = PyBytes_FromStringAndSize(NULL, size);
    char *p = all == NULL ? NULL : PyBytes_AS_STRING(all);
    for (int n = 0; n < places->count && p != NULL; n++) {
        const Value *one = value_at(values, places->at[n]);
        if (n && between)
            *p++ = between;
        if (one != NULL) {
            memcpy(p, one->text, one->size);
            p += one->size;
        }
    }
    return all;
}

static int equal(PyObject *one, PyObject *two)
{
    int equals = one != NULL && two != NULL && PyObject_RichCompareBool(one, two, Py_EQ) == 1;
    Py_XDECREF(one);
    Py_XDECREF(two);
    return equals;
}

static int same_text(Values values, const Places *places, Values others, const Places *other)
{
    if (places->count == 1 && other->count == 1)
        return alike(values, places->at[0], others, other->at[0]);
    return equal(joined(values, places, 0), joined(others, other, 0));
}

static PyObject *decoded(const Value *value, PyObject *decode)
{
    PyObject *bytes = bytes_object(value), *one = bytes == NULL ? NULL : PyObject_CallOneArg(decode, bytes);
    Py_XDECREF(bytes);
    return one;
}

/* The same arguments, in whichever way they are written. */
static int same_given(Values values, const Places *places, Values others, const Places *other, PyObject *decode)
{
    if (places->count != other->count)
        return 0;
    if (places->count == 0 || alike(values, places->at[0], others, other->at[0]))
        return 1;
    PyObject *one = decoded(value_at(values, places->at[0]), decode);
    return equal(one, one == NULL ? NULL : decoded(value_at(others, other->at[0]), decode));
}

int recital(const Outline *said, Values spoken, const Outline *recited, Values values, PyObject *decode, uint64_t *how)
{
    int named = 0; /* by the client */
    if (said->count != recited->count)
        return -1;
    for (int n = 0; n < said->count; n++) {
        const Stretch *mine = &said->stretches[n], *theirs = &recited->stretches[n];
        if (!alike(spoken, mine->name, values, theirs->name) ||
            !alike(spoken, mine->signature, values, theirs->signature))
            return -1;
        if (mine->name == ABSENT ? !same_text(spoken, mine->says, values, theirs->says)
                                 : !same_given(spoken, mine->says, values, theirs->says, decode))
            return -1;
        if (!alike(spoken, mine->id, values, theirs->id)) {
            if (mine->id != ABSENT)
                return -1;
            named = 1;
        }
    }
    *how = 1 + (uint64_t)named + 2 * (uint64_t)said->thoughts;
    return 0;
}

/* What is said, as numbers: words_of and sign in talk/reply.py */

static int hashed(PyObject *hash, PyObject *bytes, uint64_t *number)
{
    PyObject *one = bytes == NULL ? NULL : PyObject_CallOneArg(hash, bytes);
    *number = one == NULL ? 0 : PyLong_AsUnsignedLongLongMask(one);
    Py_XDECREF(one);
    Py_XDECREF(bytes);
    return one == NULL || PyErr_Occurred() ? -1 : 0;
}

int words_of(PyObject *hash, Values values, const Places *texts, uint64_t *words)
{
    *words = 0;
    return texts->count == 0 ? 0 : hashed(hash, joined(values, texts, '\n'), words);
}

/* The first characters of these texts. */
static PyObject *beginning(Values values, const Places *texts, Py_ssize_t characters)
{
    char room[256];
    Py_ssize_t size = 0, count = 0;
    for (int n = 0; n < texts->count; n++) {
        const Value *one = value_at(values, texts->at[n]);
        for (Py_ssize_t m = 0; one != NULL && m < one->size; m++) {
            count += (one->text[m] & 0xC0) != 0x80;
            if (count > characters || size == sizeof(room))
                return PyBytes_FromStringAndSize(room, size);
            room[size++] = one->text[m];
        }
    }
    return PyBytes_FromStringAndSize(room, size);
}

int sign_of(PyObject *hash, Values values, const Places *texts, int id, Py_ssize_t characters, uint64_t *sign)
{
    const Value *first = value_at(values, id);
    *sign = 0;
    if (texts->count)
        return hashed(hash, beginning(values, texts, characters), sign);
    return first == NULL || first->size == 0 ? 0 : hashed(hash, bytes_object(first), sign);
}

/* Forms, as numbers */

Piece content_piece(const Told *told, int n)
{
    uint64_t kind = (uint64_t)(n >= told->question) | (uint64_t)(n == told->count - 1) << 1;
    return (Piece){kind, told->before[n], told->of[n]->form, n ? 0 : told->how};
}

/* How contents end: it matters what the last one is. */
Piece ending_piece(const Told *told)
{
    int last = told->count - 1;
    return (Piece){ENDING, told->before[last], told->of[last]->form, 0};
}

Piece part_piece(const Named *part)
{
    return (Piece){PART, part->form, 0, 0};
}

Piece reply_piece(const Reply *reply, int events, int one)
{
    uint64_t kind = REPLY | (uint64_t)(events != 0) | (uint64_t)(one != 0) << 1;
    return (Piece){kind, reply->form, (uint64_t)reply->adds_up, 0};
}

uint64_t number_of_piece(const Piece *piece, uint64_t lead)
{
    return mix(mix(mix(mix(mix(seed, lead), piece->kind), piece->one), piece->two), piece->three);
}

/* The form of a part of which more is told, under the name of its function. */
uint64_t number_of_name(uint64_t piece, const Value *name)
{
    return name == NULL ? mix(piece, 0) : mixed(piece, name->text, name->size);
}

/* Values that are kept: how many, how long each is and whether it is a text, and what they say. */

enum { IS_TEXT = 1 };

PyObject *packed(Values values)
{
    Py_ssize_t size = 0;
    for (int n = 0; n < values.count; n++)
        size += values.all[n].size;
    Py_ssize_t head = (Py_ssize_t)sizeof(uint32_t) * (values.count + 1);
    PyObject *bytes = size > INT32_MAX ? NULL : PyBytes_FromStringAndSize(NULL, head + size);
    if (bytes == NULL)
        return NULL;
    char *p = PyBytes_AS_STRING(bytes), *data = p + head;
    uint32_t number = (uint32_t)values.count;
    memcpy(p, &number, sizeof(number));
    for (int n = 0; n < values.count; n++) {
        const Value *one = &values.all[n];
        number = (uint32_t)one->size << 1 | (one->what == TEXT || one->what == ID ? IS_TEXT : 0);
        memcpy(p += sizeof(number), &number, sizeof(number));
        memcpy(data, one->text, one->size);
        data += one->size;
    }
    return bytes;
}

int room_for(Pool *pool, Py_ssize_t count)
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

/* The same while nobody points to what stands there. */
int more_room(Pool *pool, Py_ssize_t count)
{
    int held = pool->count, failed;
    if (held + count <= pool->places)
        return 0;
    pool->count = 0;
    failed = room_for(pool, held + count);
    pool->count = held;
    return failed;
}

int pooled(Pool *pool, PyObject *values, Values *all)
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

int unpacked(Pool *pool, PyObject *bytes, Values *all)
{
    uint32_t count = 0, number;
    if (!PyBytes_Check(bytes) || PyBytes_GET_SIZE(bytes) < (Py_ssize_t)sizeof(count))
        return -1;
    const char *p = PyBytes_AS_STRING(bytes);
    memcpy(&count, p, sizeof(count));
    if (room_for(pool, count) < 0)
        return -1;
    const char *data = p + sizeof(uint32_t) * ((size_t)count + 1);
    *all = (Values){pool->all + pool->count, (int)count};
    for (uint32_t n = 0; n < count; n++) {
        memcpy(&number, p += sizeof(number), sizeof(number));
        pool->all[pool->count++] = (Value){.text = data, .size = number >> 1, .what = number & IS_TEXT ? TEXT : BYTES};
        data += number >> 1;
    }
    return 0;
}

/* From Python: places are numbers, None where there is none, "" where nothing is said. */

static int place_of(PyObject *place, int *at)
{
    if (!PyLong_Check(place)) {
        *at = place == Py_None ? ABSENT : EMPTY;
        return 0;
    }
    long value = PyLong_AsLong(place);
    *at = (int)value;
    return value < 0 || value > INT_MAX ? -1 : 0;
}

/* Room for what stands in a tuple; NULL with an error. */
static void *room_in(PyObject *tuple, size_t first, size_t each, int *count)
{
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "places come as a tuple");
        return NULL;
    }
    *count = (int)PyTuple_GET_SIZE(tuple);
    void *room = PyMem_Calloc(1, first + each * (size_t)(*count + 1));
    return room == NULL ? PyErr_NoMemory() : room;
}

static int places_of(PyObject *tuple, Places **places)
{
    int count;
    if ((*places = room_in(tuple, sizeof(Places), sizeof(int), &count)) == NULL)
        return -1;
    (*places)->count = count;
    for (int n = 0; n < count; n++)
        if (place_of(PyTuple_GET_ITEM(tuple, n), &(*places)->at[n]) < 0)
            return -1;
    return 0;
}

/* Pairs of places. */
static int pairs_of(PyObject *tuple, Pair **pairs, int *count)
{
    PyObject *one, *other;
    if ((*pairs = room_in(tuple, 0, sizeof(**pairs), count)) == NULL)
        return -1;
    for (int n = 0; n < *count; n++)
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, n), "OO", &one, &other) || place_of(one, &(*pairs)[n].name) < 0 ||
            place_of(other, &(*pairs)[n].other) < 0)
            return -1;
    return 0;
}

static int named_of(PyObject *tuple, Named **named, int *count)
{
    PyObject *name;
    unsigned long long form;
    if ((*named = room_in(tuple, 0, sizeof(Named), count)) == NULL)
        return -1;
    for (int n = 0; n < *count; n++) {
        Named *one = &(*named)[n];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, n), "iiOK", &one->chunk, &one->part, &name, &form) ||
            place_of(name, &one->name) < 0)
            return -1;
        one->form = form;
    }
    return 0;
}

static int outline_of(PyObject *outline, Outline **one)
{
    if (outline != Py_None && !Py_IS_TYPE(outline, outline_type))
        return -1;
    *one = outline == Py_None ? NULL : (Outline *)Py_NewRef(outline);
    return 0;
}

/* It, if all of it was understood. */
static PyObject *made(void *one, int failed)
{
    if (failed) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "places are numbers, None or \"\"");
        Py_DECREF((PyObject *)one);
        return NULL;
    }
    return one;
}

static PyObject *content_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *role, *texts, *calls, *answers, *signatures, *named, *outline;
    unsigned long long form;
    if (!PyArg_ParseTuple(args, "UKOOOOOO", &role, &form, &texts, &calls, &answers, &signatures, &named, &outline))
        return NULL;
    Content *one = (Content *)type->tp_alloc(type, 0);
    if (one == NULL)
        return NULL;
    one->form = form;
    int failed = state_of(role, &one->role) < 0 || places_of(texts, &one->texts) < 0 ||
                 pairs_of(calls, &one->calls, &one->calls_count) < 0 ||
                 pairs_of(answers, &one->answers, &one->answers_count) < 0 ||
                 places_of(signatures, &one->signatures) < 0 || named_of(named, &one->named, &one->named_count) < 0 ||
                 outline_of(outline, &one->outline) < 0;
    for (int n = 0; n < one->calls_count && !failed; n++)
        for (int m = 0; m < n; m++)
            one->doubled |= one->calls[n].other >= 0 && one->calls[n].other == one->calls[m].other;
    return made(one, failed);
}

static void content_free(Content *one)
{
    PyTypeObject *type = Py_TYPE(one);
    PyMem_Free(one->texts);
    PyMem_Free(one->signatures);
    PyMem_Free(one->calls);
    PyMem_Free(one->answers);
    PyMem_Free(one->named);
    Py_XDECREF(one->outline);
    type->tp_free(one);
    Py_DECREF(type);
}

static PyObject *reply_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *told, *texts, *signatures, *ids, *id, *model, *calls, *named, *outline, *finish;
    unsigned long long form;
    int adds_up, pieces, many;
    if (!PyArg_ParseTuple(args, "OKpOOOOOiiOOOO", &told, &form, &adds_up, &texts, &signatures, &ids, &id, &model,
                          &pieces, &many, &calls, &named, &outline, &finish))
        return NULL;
    Reply *one = (Reply *)type->tp_alloc(type, 0);
    if (one == NULL)
        return NULL;
    one->told = Py_NewRef(told);
    one->finish = Py_NewRef(finish);
    one->form = form;
    one->adds_up = adds_up;
    one->pieces = pieces;
    one->many = many;
    return made(one, places_of(texts, &one->texts) < 0 || places_of(signatures, &one->signatures) < 0 ||
                         places_of(ids, &one->ids) < 0 || place_of(id, &one->id) < 0 ||
                         place_of(model, &one->model) < 0 || pairs_of(calls, &one->calls, &one->calls_count) < 0 ||
                         named_of(named, &one->named, &one->named_count) < 0 || outline_of(outline, &one->outline) < 0);
}

static void reply_free(Reply *one)
{
    PyTypeObject *type = Py_TYPE(one);
    PyMem_Free(one->texts);
    PyMem_Free(one->signatures);
    PyMem_Free(one->ids);
    PyMem_Free(one->calls);
    PyMem_Free(one->named);
    Py_XDECREF(one->outline);
    Py_XDECREF(one->told);
    Py_XDECREF(one->finish);
    type->tp_free(one);
    Py_DECREF(type);
}

static int stretch_of(PyObject *row, Stretch *stretch)
{
    PyObject *name, *says, *id, *signature;
    return PyArg_ParseTuple(row, "OOOO", &name, &says, &id, &signature) && place_of(name, &stretch->name) == 0 &&
                   place_of(id, &stretch->id) == 0 && place_of(signature, &stretch->signature) == 0
               ? places_of(says, &stretch->says)
               : -1;
}

static PyObject *outline_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *stretches;
    int some, others;
    if (!PyArg_ParseTuple(args, "Opp", &stretches, &some, &others))
        return NULL;
    Outline *one = (Outline *)type->tp_alloc(type, 0);
    if (one == NULL)
        return NULL;
    one->thoughts = some | others << 1;
    int failed = (one->stretches = room_in(stretches, 0, sizeof(Stretch), &one->count)) == NULL;
    for (int n = 0; n < one->count && !failed; n++)
        failed = stretch_of(PyTuple_GET_ITEM(stretches, n), &one->stretches[n]) < 0;
    return made(one, failed);
}

static void outline_free(Outline *one)
{
    PyTypeObject *type = Py_TYPE(one);
    for (int n = 0; one->stretches != NULL && n < one->count; n++)
        PyMem_Free(one->stretches[n].says);
    PyMem_Free(one->stretches);
    type->tp_free(one);
    Py_DECREF(type);
}

static PyMemberDef reply_members[] = {
    {"told", T_OBJECT, offsetof(Reply, told), READONLY, "The same for Python."},
    {NULL},
};

static PyType_Slot content_slots[] = {
    {Py_tp_new, content_new},
    {Py_tp_dealloc, content_free},
    {Py_tp_doc, "What a content shows: (role, form, texts, calls, answers, signatures, named, outline)."},
    {0, NULL},
};

static PyType_Slot reply_slots[] = {
    {Py_tp_new, reply_new},
    {Py_tp_dealloc, reply_free},
    {Py_tp_members, reply_members},
    {Py_tp_doc, "What a reply shows."},
    {0, NULL},
};

static PyType_Slot outline_slots[] = {
    {Py_tp_new, outline_new},
    {Py_tp_dealloc, outline_free},
    {Py_tp_doc, "What is said: (stretches, whether there are thoughts, whether some are signed)."},
    {0, NULL},
};

static PyType_Spec content_spec = {"wirecheck.lane.compiled.Content", sizeof(Content), 0, Py_TPFLAGS_DEFAULT,
                                   content_slots};
static PyType_Spec reply_spec = {"wirecheck.lane.compiled.Reply", sizeof(Reply), 0, Py_TPFLAGS_DEFAULT, reply_slots};
static PyType_Spec outline_spec = {"wirecheck.lane.compiled.Outline", sizeof(Outline), 0, Py_TPFLAGS_DEFAULT,
                                   outline_slots};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromSpec(spec);
    return *type == NULL ? -1 : PyModule_AddObjectRef(module, name, (PyObject *)*type);
}

int said_ready(PyObject *module)
{
    return add_type(module, "Content", &content_spec, &content_type) < 0 ||
                   add_type(module, "Reply", &reply_spec, &reply_type) < 0 ||
                   add_type(module, "Outline", &outline_spec, &outline_type) < 0
               ? -1
               : 0;
}
