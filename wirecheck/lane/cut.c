/* An exchange in pieces: the history that was heard, what stands around the contents, the contents that are new, the
   reply. These functions give 0, or -1 where the line is not taken. */

#include "direct.h"

/* The history: Lane._heard */

int goes_on(Direct *d, Line *l, PyObject *heard)
{
    uint64_t length;
    PyObject *known = get(&l->held, heard, N_known);
    l->heard = hold(&l->held, Py_NewRef(heard));
    l->conversation = known == NULL ? NULL : get(&l->held, known, N_conversation);
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
    PyObject *args[] = {d->prefixes, l->line, hold(&l->held, PyLong_FromSsize_t(at))};
    PyObject *heard = args[2] == NULL ? NULL : hold(&l->held, PyObject_VectorcallMethod(names[N_find], args, 3, NULL));
    return heard == NULL ? -1 : heard == Py_None ? 0 : goes_on(d, l, heard);
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
    PyObject *setting = get(&l->held, known, N_setting),
             *tools = setting == NULL ? NULL : get(&l->held, known, N_tools);
    uint64_t place, stamp = 0;
    if (tools == NULL || setting == Py_None ||
        (tools != Py_None && (number(tools, &place) < 0 || number_in(values, place, &stamp) < 0)))
        return -1;
    PyObject *key = key_of(&l->held, mix(mix(seed, d->reading.number), stamp));
    PyObject *around = key == NULL ? NULL : PyDict_GetItemWithError(d->arounds, key);
    if (around == NULL) {
        PyObject *args[] = {key, known, key_of(&l->held, stamp), l->line};
        PyObject *found =
            key == NULL || args[2] == NULL ? NULL : hold(&l->held, PyObject_Vectorcall(d->surrounded, args, 4, NULL));
        around = found == NULL ? NULL : PyTuple_GET_ITEM(found, 0);
    }
    if (around == NULL || (l->around = hold(&l->held, Py_NewRef(around))) == NULL)
        return -1;
    PyObject *digest = get(&l->held, l->around, N_tools);
    return digest == NULL || !there(d->toolboxes, digest) ||
                   hold(&l->held, PyObject_CallMethodOneArg(d->toolboxes, names[N_move_to_end], digest)) == NULL
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
        if ((d->written_of[n] = hold(&l->held, PyBytes_FromStringAndSize(form->text, form->size))) == NULL)
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
    PyObject *plain = hold(&l->held, PyBytes_FromStringAndSize(written->text, size));
    if (plain == NULL || size == 0)
        return NULL;
    int exact = size == written->size || (last != NULL && strchr(last, written->text[size - 1]) != NULL);
    return called_with(&l->held, exact ? d->hash64 : d->digest, plain, NULL);
}

static int signatures_of(Direct *d, Line *l)
{
    if ((l->signatures = hold(&l->held, PyList_New(0))) == NULL)
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
int real(Direct *d, Line *l, Values values, const Places *places)
{
    for (int n = 0; n < places->count; n++) {
        const Value *one = value_at(values, places->at[n]);
        if (one == NULL)
            return 0;
        if (one->size >= (Py_ssize_t)d->bypass)
            continue;
        PyObject *written = hold(&l->held, bytes_object(one));
        PyObject *several = written == NULL ? NULL : hold(&l->held, PyTuple_Pack(1, written));
        if (several == NULL || called_with(&l->held, d->bypassed, several, NULL) != Py_False)
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

/* What a reply of this form tells. `known` is the line, of which Python tells what is new; of several lines it tells
   later. */
static int reply_of(Direct *d, Line *l, uint64_t form, PyObject *known)
{
    PyObject *key = key_of(&l->held, form), *reply = key == NULL ? NULL : PyDict_GetItemWithError(d->replies, key);
    if (reply == NULL && key != NULL && known != NULL) {
        PyObject *args[] = {key, known, l->line, key_of(&l->held, (uint64_t)l->start),
                            key_of(&l->held, (uint64_t)l->past)};
        reply = args[3] == NULL || args[4] == NULL ? NULL : PyObject_Vectorcall(d->new_reply, args, 5, NULL);
        hold(&l->held, reply);
    }
    if (reply == NULL || !Py_IS_TYPE(reply, reply_type))
        return -1;
    l->reply = (const Reply *)hold(&l->held, Py_NewRef(reply));
    if (l->reply == NULL || !real(d, l, l->said, l->reply->signatures) || signatures_of(d, l) < 0)
        return -1;
    l->one = of_one(l->said, l->reply->ids);
    return sign_of(d->hash64, l->said, l->reply->texts, l->reply->id, (Py_ssize_t)d->begins, &l->sign);
}

static int replied(Direct *d, Line *l, PyObject *known, const Value *said)
{
    PyObject *stream = get(&l->held, known, N_stream);
    uint64_t form;
    if (stream == NULL)
        return -1;
    l->text = stream != Py_None;
    l->events = stream == Py_True;
    Values chunks = l->text ? values_of(&d->reading, said) : (Values){said, 1};
    return together(d, l, chunks, &form) < 0 ? -1 : reply_of(d, l, form, known);
}

/* What is known of a line by its key, and the contents of its request. */
static PyObject *asked(Direct *d, Line *l, PyObject *reader, uint64_t most, Values *values)
{
    Reading *r = &d->reading;
    uint64_t contents;
    if (heard_before(d, l) < 0 || l->size - l->past > (Py_ssize_t)most ||
        recognise(r, table_of(reader), l->data, l->size, l->start, l->past) < 0)
        return NULL;
    *values = (Values){r->values, (int)r->count};
    PyObject *key = key_of(&l->held, r->number), *known = key == NULL ? NULL : PyDict_GetItemWithError(d->lines, key);
    known = known == NULL ? NULL : hold(&l->held, Py_NewRef(known));
    if (known == NULL || surrounded(d, l, known, *values) < 0 || number_of(known, N_contents, &contents) < 0)
        return NULL;
    const Value *one = value_at(*values, (int)contents);
    return one == NULL || contents_of(d, l, one) < 0 ? NULL : known;
}

int cut(Direct *d, Line *l)
{
    Values values;
    uint64_t reply;
    PyObject *known = asked(d, l, d->reader, d->long_line, &values);
    if (known == NULL || number_of(known, N_reply, &reply) < 0)
        return -1;
    const Value *said = value_at(values, (int)reply);
    return said == NULL ? -1 : replied(d, l, known, said);
}

/* The pieces of several lines, of which our own log makes an exchange: Cutter.cut_kept */

/* The name of a channel; nothing where it is empty. */
static int channel_of(Line *l, PyObject *known, Values values, const Value **channel)
{
    PyObject *place = get(&l->held, known, N_channel);
    uint64_t at;
    *channel = NULL;
    if (place == NULL || !PyLong_Check(place))
        return place == NULL ? -1 : 0;
    return number(place, &at) < 0 || (*channel = value_at(values, (int)at)) == NULL ? -1 : 0;
}

static int alike(const Value *one, const Value *other)
{
    if (one == NULL || other == NULL)
        return one == other;
    return one->size == other->size && memcmp(one->text, other->text, (size_t)one->size) == 0;
}

/* What is known of a line of a reply, if it is of this channel. */
static PyObject *answer(Direct *d, Line *l, PyObject *line, const Value *channel)
{
    Reading *r = &d->answering;
    const Value *of;
    if (!PyBytes_Check(line) || PyBytes_GET_SIZE(line) > (Py_ssize_t)d->manifold ||
        hold(&l->held, Py_NewRef(line)) == NULL ||
        recognise(r, table_of(d->answered), PyBytes_AS_STRING(line), PyBytes_GET_SIZE(line), 0, 0) < 0)
        return NULL;
    PyObject *key = key_of(&l->held, r->number), *known = key == NULL ? NULL : PyDict_GetItemWithError(d->answers, key);
    known = known == NULL ? NULL : hold(&l->held, Py_NewRef(known));
    if (known == NULL || channel_of(l, known, (Values){r->values, (int)r->count}, &of) < 0)
        return NULL;
    return alike(of, channel) ? known : NULL;
}

/* A chunk is added to what is said. What had escapes stands where the next line is read to, and is copied. */
static int add_chunk(Direct *d, Line *l, PyObject *known, uint64_t *form)
{
    const Reading *r = &d->answering;
    PyObject *data = get(&l->held, known, N_data);
    uint64_t at;
    if (data == NULL || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 1 ||
        number(PyTuple_GET_ITEM(data, 0), &at) < 0)
        return -1;
    const Value *chunk = value_at((Values){r->values, (int)r->count}, (int)at);
    if (chunk == NULL || more_room(&d->pool, chunk->count) < 0)
        return -1;
    *form = mix(*form, chunk->number);
    uintptr_t begin = (uintptr_t)r->text, end = begin + (uintptr_t)r->text_length;
    for (int n = 0; n < chunk->count; n++) {
        Value value = r->done[chunk->first + n];
        if ((uintptr_t)value.text >= begin && (uintptr_t)value.text < end) {
            PyObject *copy = hold(&l->held, PyBytes_FromStringAndSize(value.text, value.size));
            if (copy == NULL)
                return -1;
            value.text = PyBytes_AS_STRING(copy);
        }
        d->pool.all[d->pool.count++] = value;
    }
    return 0;
}

int cut_kept(Direct *d, Line *l, PyObject *lines, Py_ssize_t begin, Py_ssize_t *count)
{
    Values values;
    const Value *channel;
    uint64_t form = seed;
    PyObject *known = asked(d, l, d->opened, d->manifold, &values);
    if (known == NULL || channel_of(l, known, values, &channel) < 0)
        return -1;
    for (Py_ssize_t n = begin + 1; n < PySequence_Fast_GET_SIZE(lines); n++) {
        PyObject *one = answer(d, l, PySequence_Fast_GET_ITEM(lines, n), channel);
        if (one == NULL || ((PyObject *)Py_TYPE(one) == d->replied) != (n == begin + 1))
            return -1;
        if ((PyObject *)Py_TYPE(one) == d->closed) {
            *count = n + 1 - begin;
            l->said = (Values){d->pool.all, d->pool.count};
            l->lines = 1;
            return reply_of(d, l, form, NULL);
        }
        if ((PyObject *)Py_TYPE(one) == d->frame && add_chunk(d, l, one, &form) < 0)
            return -1;
    }
    return -1;
}
