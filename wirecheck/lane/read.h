/* JSON that was read by a table: see read.c. */

#ifndef WIRECHECK_READ_H
#define WIRECHECK_READ_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* What may stand in a place of the table. */
typedef enum {
    WORD,    /* a short string that is part of the shape */
    SPELT,   /* likewise, as it is written: two ways of writing it are two shapes */
    TEXT,    /* a string: only whether it is empty */
    THERE,   /* likewise, without its value */
    SOME,    /* likewise, and whether it may be a data URL */
    BYTES,   /* likewise, its value in UTF-8 */
    ID,      /* likewise, a short one, and which others it equals */
    BASE64,  /* likewise, as it is written, if it is not too long */
    DATA,    /* the same of any length, without its value */
    FLAG,    /* true or false */
    NUMBER,  /* a whole number that is part of the shape */
    ZERO,    /* a whole number: only whether it is zero */
    FIGURE,  /* any number */
    DIGITS,  /* likewise, its value as it is written */
    ANY,     /* anything: only that it is there */
    COUNT,   /* a whole number: only whether those of an object add up */
    FIXED,   /* anything: how it is written is part of the key */
    STAMP,   /* anything: a number for how it is written */
    MEMBERS, /* an object, as it is written; only whether it is empty */
    OPEN,    /* an object, maybe of strings alone: whether it is empty, and which of some keys it has */
    OBJECT,  /* an object with these keys and no others */
    LIST,    /* a list of such things */
    FORM,    /* something with a shape and values of its own */
    QUIET,   /* something of which only the shape is of interest */
    EVENTS,  /* such a thing in a string, or several as the events of a stream: the forms of them */
    EITHER,  /* one thing where it is an object, another where it is a string */
} What;

/* Something that is said: in UTF-8, escapes undone. A form (first of all) is as it is written, and its values stand
   elsewhere; so do the forms of several things in one string. */
typedef struct {
    const char *text;
    Py_ssize_t size;
    uint64_t number; /* a stamp; or of the shape of a form */
    int first, count;
    What what;
} Value;

typedef struct {
    const Value *all;
    int count;
} Values;

typedef struct {
    const char *text;
    Py_ssize_t size;
} Span;

typedef struct Node Node;

enum { IDS_MOST = 512, SHAPE_FIRST = 2048, VALUES_FIRST = 128, KEPT_FIRST = 64 };

/* One reading. `shape` and `values` grow; a form takes away what was added to them since it began. */
typedef struct {
    const char *p, *end, *data;
    Py_ssize_t size;
    const char *at; /* where a list begins that was heard for `past` bytes */
    Py_ssize_t past;
    char *shape, *text, *stream; /* what strings say that are written with escapes, and one that is read itself */
    Py_ssize_t length, room, text_length, text_room, stream_room;
    int spelled;     /* whether there is a shape; else there is a number for it, */
    uint64_t number; /* this one */
    PyObject *shapes; /* of the forms, where they are spelled */
    Value *values, *done; /* those of the form that is being read and of what it stands in, and of forms before */
    Py_ssize_t count, places, base, done_count, done_places; /* `base` is where those of this form begin */
    Span *kept; /* what is kept as it is written */
    Py_ssize_t kept_count, kept_places;
    int id_count, id_base, depth;
    uint64_t key;
    Py_ssize_t ids[IDS_MOST]; /* places of the first of those that are the same */
    char first_shape[SHAPE_FIRST];
    Value first_values[VALUES_FIRST], first_done[VALUES_FIRST];
    Span first_kept[KEPT_FIRST];
} Reading;

extern PyTypeObject *reader_type;
int read_ready(PyObject *module);

Node *table_of(PyObject *reader);
void open_reading(Reading *r);
void close_reading(Reading *r);
int recognise(Reading *r, Node *node, const char *data, Py_ssize_t size, Py_ssize_t at, Py_ssize_t past);

static inline Values values_of(const Reading *r, const Value *form)
{
    return (Values){r->done + form->first, form->count};
}

#endif
