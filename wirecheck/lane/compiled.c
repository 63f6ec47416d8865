/* The quick lane in C, as a module. */

#include "numbers.h"
#include "said.h"

int take_ready(PyObject *module);

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
    return unknown_numbers() < 0 || read_ready(module) < 0 || said_ready(module) < 0 || take_ready(module) < 0 ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "compiled", "The quick lane, as far as it is in C.", 0, NULL, module_slots,
};

PyMODINIT_FUNC PyInit_compiled(void)
{
    return PyModuleDef_Init(&module);
}
