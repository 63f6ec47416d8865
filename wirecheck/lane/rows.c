/* Conversations under numbers: Index in talk/index.py, and Threads as far as it keeps them. */

#include "direct.h"

int index_of(Line *l, PyObject *of, Index *index)
{
    index->of = of;
    index->lately = of == NULL ? NULL : get(&l->held, of, N__lately);
    index->before = of == NULL ? NULL : get(&l->held, of, N__before);
    return index->lately == NULL || index->before == NULL ? -1 : 0;
}

/* Under a number there may be one conversation in two tables, or several in one. */
PyObject *alone(const Index *index, PyObject *key)
{
    PyObject *one = PyDict_GetItemWithError(index->lately, key), *other = PyDict_GetItemWithError(index->before, key);
    if (one != NULL && other != NULL)
        return NULL;
    one = one == NULL ? other : one;
    return one == NULL || PyDict_Check(one) ? NULL : one;
}

int holds(const Index *index, PyObject *key)
{
    return there(index->lately, key) || there(index->before, key);
}

/* Adds a conversation to those under a number. */
int list_under(PyObject *rows, PyObject *key, PyObject *conversation)
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

/* All of them by their marks. */
int by_marks(Direct *d, Line *l, Index *index)
{
    return index_of(l, get(&l->held, d->threads, N__marked), index) < 0 ||
                   put_in(d, l, get(&l->held, d->threads, N__late_before), index->before) < 0 ||
                   put_in(d, l, get(&l->held, d->threads, N__late), index->lately) < 0
               ? -1
               : 0;
}

int marked(const Index *index, uint64_t value)
{
    PyObject *key = PyLong_FromUnsignedLongLong(value);
    int found = key == NULL || holds(index, key);
    Py_XDECREF(key);
    return found;
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
        return hold(&l->held, PyObject_VectorcallMethod(names[N_remove], args, 3, NULL)) == NULL ? -1 : 0;
    }
    return done < 0 ? -1 : 0;
}

static int dropped(PyObject *table, PyObject *key)
{
    int in = table == NULL ? -1 : PyDict_Contains(table, key);
    return in == 1 && PyDict_DelItem(table, key) < 0 ? -1 : in;
}

/* It is not to be found where it stood: Threads._unlist */
int unlisted(Direct *d, Line *l)
{
    Index by_marks;
    uint64_t all[3];
    PyObject *one = l->conversation;
    if (removed(l, &l->stood, get(&l->held, one, N_chain), one) < 0)
        return -1;
    int late = dropped(get(&l->held, d->threads, N__late), one);
    if (late == 0)
        late = dropped(get(&l->held, d->threads, N__late_before), one);
    if (late)
        return late < 0 ? -1 : 0;
    if (index_of(l, get(&l->held, d->threads, N__marked), &by_marks) < 0)
        return -1;
    int count = marks(d, one, all);
    for (int n = 0; n < count; n++)
        if (removed(l, &by_marks, key_of(&l->held, all[n]), one) < 0)
            return -1;
    return count < 0 ? -1 : 0;
}
