/* What is said in contents and replies of which every shape is known: see said.c. */

#ifndef WIRECHECK_SAID_H
#define WIRECHECK_SAID_H

#include "read.h"

enum { ABSENT = -1, EMPTY = -2 }; /* in place of a place among the values: nothing is there, or ""; see blank.py */

typedef enum { NOTHING, USER, MODEL, ANSWERS, STATES } State; /* what stands last */

typedef struct {
    int count, at[]; /* places */
} Places;

typedef struct {
    int name, other; /* its id; or the arguments of a call in a reply */
} Pair;

typedef struct {
    int chunk, part, name;
    uint64_t form;
} Named; /* a part that names a function */

/* A call, or a text in one piece or several. */
typedef struct {
    int name, id, signature;
    Places *says;
} Stretch;

typedef struct {
    PyObject_HEAD
    int thoughts; /* bits: 1, some are not signed; 2, some are */
    int count;
    Stretch *stretches;
} Outline;

typedef struct {
    PyObject_HEAD
    State role; /* USER or MODEL */
    uint64_t form;
    int doubled; /* two calls have one id */
    Places *texts, *signatures;
    int calls_count, answers_count, named_count;
    Pair *calls, *answers;
    Named *named;
    Outline *outline; /* NULL where it is more than words and calls */
} Content;

typedef struct {
    PyObject_HEAD
    PyObject *told, *finish; /* the same for Python; why it ends, or None */
    uint64_t form;
    int adds_up; /* its usage does */
    Places *texts, *signatures, *ids;
    int id, model, pieces, many; /* the id of its first call; the model that it names; parts that must come back */
    int calls_count, named_count;
    Pair *calls;
    Named *named;
    Outline *outline; /* NULL likewise */
} Reply;

/* What several contents tell, one after the other. */
typedef struct {
    int count, fresh;    /* no history comes before */
    int question, calls; /* the last in which the user says something; whether the reply that is recited calls */
    State state;
    uint64_t how; /* the reply before is recited */
    Content **of;
    Values *values;
    uint64_t *before; /* what stood before each */
} Told;

/* Something that has a form of its own. */
typedef struct {
    uint64_t kind, one, two, three;
} Piece;

/* Kinds of them: what is below is a content, what is above a reply. A seam is the content after a gap, next the one
   after that, and gone the gap. */
enum { ENDING = 4, PART, SEAM, NEXT, GONE, REPLY = 12 };

/* Room for values that come otherwise than by reading: asked for once, for all of them. */
typedef struct {
    Value *all;
    int count, places;
} Pool;

extern PyTypeObject *content_type, *reply_type, *outline_type;
int said_ready(PyObject *module);

static inline const Value *value_at(Values values, int place)
{
    return place < 0 || place >= values.count ? NULL : &values.all[place];
}

const char *state_name(State state);
int state_of(PyObject *name, State *state);
PyObject *text_object(const Value *value);
PyObject *bytes_object(const Value *value);

/* These give -1 where something is not as usual; the first, 1 where answers are waited for at the end. */
int tell(Told *told, State state);
int recital(const Outline *said, Values spoken, const Outline *recited, Values values, PyObject *decode, uint64_t *how);
int words_of(PyObject *hash, Values values, const Places *texts, uint64_t *words);
int sign_of(PyObject *hash, Values values, const Places *texts, int id, Py_ssize_t begins, uint64_t *sign);

Piece content_piece(const Told *told, int n);
Piece ending_piece(const Told *told);
Piece part_piece(const Named *part);
Piece reply_piece(const Reply *reply, int events, int one);
uint64_t number_of_piece(const Piece *piece, uint64_t lead);
uint64_t number_of_name(uint64_t piece, const Value *name);

PyObject *packed(Values values);
int room_for(Pool *pool, Py_ssize_t count);
int more_room(Pool *pool, Py_ssize_t count);
int pooled(Pool *pool, PyObject *values, Values *all);
int unpacked(Pool *pool, PyObject *bytes, Values *all);
#endif
