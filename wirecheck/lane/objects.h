/* Attributes of Python's objects, and what is held while a line is looked at. */

#ifndef WIRECHECK_OBJECTS_H
#define WIRECHECK_OBJECTS_H

#include <Python.h>
#include <stdint.h>

/* Attributes that are asked for. */
#define NAMES(X) \
    X(_age) X(_before) X(_contents) X(_count) X(_events) X(_inner) X(_keep_echoes) X(_keep_reply) X(_keep_tail) \
    X(_late) X(_late_before) X(_lately) X(_length) X(_light) X(_lines) X(_marked) X(_most) X(_origin) X(_places) \
    X(_replies) X(_room) X(_said) X(_saying) X(_stood) X(_tails) X(_text) X(_turn) X(_weight) X(add) X(again) X(age) \
    X(alias) X(alike) X(all) X(around) X(at) X(called) X(chain) X(channel) X(contents) X(conversation) X(data) X(doubtful) X(dropped) \
    X(end) X(events) X(exact) X(failed) X(find) X(fingerprint) X(finish) X(fits) X(form) X(frombytes) X(hashes) \
    X(held) X(inner) X(kind) X(known) X(lead) X(leave) X(length) X(light) X(line) X(lines) X(made) X(many) X(model) \
    X(move) X(move_to_end) X(name) X(names) X(notes) X(one) X(open_calls) X(opening) X(parts) X(path) X(placed) \
    X(places) X(remembers) X(remove) X(reply) X(said) X(saying) X(setting) X(severity) X(sign) X(signatures) X(size) \
    X(slices) X(sound) X(speaks) X(start) X(state) X(stream) X(tail) X(text) X(thread) X(tools) X(values) X(wider) \
    X(words)

enum {
#define X(name) N_##name,
    NAMES(X)
#undef X
    N_COUNT
};

enum { HELD = 256 }; /* objects that are held without asking for room */

/* What is pointed to is held until it is done with. */
typedef struct {
    PyObject **all, *first[HELD];
    Py_ssize_t count, room;
} Held;

extern PyObject *names[N_COUNT];
int names_ready(void);

PyObject *hold(Held *held, PyObject *one);
void let_go_of(Held *held);
PyObject *attribute(PyObject *of, int name);
int set(PyObject *of, int name, PyObject *value);

static inline void hold_nothing(Held *held)
{
    held->all = held->first;
    held->count = 0;
    held->room = HELD;
}

static inline PyObject *get(Held *held, PyObject *of, int name)
{
    return hold(held, attribute(of, name));
}

static inline int number(PyObject *one, uint64_t *value)
{
    *value = PyLong_AsUnsignedLongLongMask(one);
    return *value == (uint64_t)-1 && PyErr_Occurred() ? -1 : 0;
}

static inline int number_of(PyObject *of, int name, uint64_t *value)
{
    PyObject *one = attribute(of, name);
    int failed = one == NULL || number(one, value) < 0;
    Py_XDECREF(one);
    return failed ? -1 : 0;
}

static inline int set_number(PyObject *of, int name, uint64_t value)
{
    PyObject *one = PyLong_FromUnsignedLongLong(value);
    int failed = set(of, name, one);
    Py_XDECREF(one);
    return failed;
}

static inline PyObject *key_of(Held *held, uint64_t value)
{
    return hold(held, PyLong_FromUnsignedLongLong(value));
}

/* Whether something is in a table. */
static inline int there(PyObject *table, PyObject *key)
{
    return PyDict_GetItemWithError(table, key) != NULL;
}

static inline PyObject *called_with(Held *held, PyObject *call, PyObject *one, PyObject *two)
{
    PyObject *args[] = {one, two};
    return hold(held, PyObject_Vectorcall(call, args, two == NULL ? 1 : 2, NULL));
}

#endif
