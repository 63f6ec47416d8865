/* Attributes of Python's objects: where a type has a slot for one, it is asked for at its place. */

#define PY_SSIZE_T_CLEAN
#include "objects.h"
#include <structmember.h>

static const char *const SPELLED[] = {
#define X(name) #name,
    NAMES(X)
#undef X
};

PyObject *names[N_COUNT];

int names_ready(void)
{
    for (int n = 0; n < N_COUNT; n++)
        if (names[n] == NULL && (names[n] = PyUnicode_InternFromString(SPELLED[n])) == NULL)
            return -1;
    return 0;
}

PyObject *hold(Held *held, PyObject *one)
{
    if (one == NULL)
        return NULL;
    if (held->count == held->room) {
        int first = held->all == held->first;
        PyObject **more = PyMem_Realloc(first ? NULL : held->all, 2 * held->room * sizeof(PyObject *));
        if (more == NULL) {
            Py_DECREF(one);
            return PyErr_NoMemory();
        }
        if (first)
            memcpy(more, held->first, sizeof(held->first));
        held->all = more;
        held->room *= 2;
    }
    return held->all[held->count++] = one;
}

void let_go_of(Held *held)
{
    while (held->count)
        Py_DECREF(held->all[--held->count]);
    if (held->all != held->first)
        PyMem_Free(held->all);
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

PyObject *attribute(PyObject *of, int name)
{
    PyObject **slot = slot_of(of, name);
    return slot == NULL || *slot == NULL ? PyObject_GetAttr(of, names[name]) : Py_NewRef(*slot);
}

int set(PyObject *of, int name, PyObject *value)
{
    if (value == NULL)
        return -1;
    PyObject **slot = slot_of(of, name);
    if (slot == NULL || (PyType_IS_GC(Py_TYPE(of)) && !PyObject_GC_IsTracked(of)))
        return PyObject_SetAttr(of, names[name], value);
    Py_XSETREF(*slot, Py_NewRef(value));
    return 0;
}
