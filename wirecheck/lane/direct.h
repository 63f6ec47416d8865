/* An exchange all of whose forms are known, taken in without Python.

   This is the quick lane for what is most common: what Lane.cut, Lane.usual and Quick._takes_one do with a line is done
   here on the same objects. First a line is cut into pieces (cut.c), and everything is looked up (look.c). Of what is new Python tells what it is, see
   directly.py; where anything else is missing, or is less common, nothing has been changed, and Python takes the line
   from its beginning. Then the line is taken in, with what was found (take.c). So whatever changes there has to change
   here; tests/lane/test_direct.py holds that both leave the same behind. */

#ifndef WIRECHECK_DIRECT_H
#define WIRECHECK_DIRECT_H

#include "numbers.h"
#include "objects.h"
#include "said.h"
#include <stddef.h>

enum { MOST = 512, FINDINGS = 64 }; /* contents that are new in a line; findings in it */

/* What is given by Python. First what is known of forms, which goes for all files; then what belongs to a file. */
#define TABLES(X) X(lines) X(answers) X(arounds) X(replies) X(contents) X(sound) X(surrounds)
#define CALLS(X) \
    X(hash64) X(decode) X(weigh) X(digest) X(bypassed) X(known_as) X(surrounded) X(of_around) X(of_piece) X(of_part) \
    X(new_reply) X(new_content)
#define MADE(X) \
    X(reader) X(opened) X(answered) X(replied) X(frame) X(closed) X(conversation) X(reply) X(origin) X(named) X(stood) X(echoed) X(known) X(several) X(left) X(node) \
    X(array) X(typecode) X(nothing)
#define OF_FILE(X) \
    X(threads) X(memory) X(signatures) X(toolboxes) X(prefixes) X(shelf) X(counted) X(again) X(of_conversations) \
    X(of_prefixes)
#define THINGS(X) TABLES(X) CALLS(X) MADE(X) OF_FILE(X)

/* And sizes, which are told where they are decided. */
#define SIZES(X) \
    X(short_line) X(long_line) X(manifold) X(bypass) X(begins) X(piece) X(many) X(long_tail) X(name_size) X(reply_size) X(part_size)
#define MARKS(X) X(words) X(sign)

typedef struct {
    PyObject_HEAD
#define X(name) PyObject *name;
    THINGS(X)
#undef X
#define X(name) uint64_t name;
    SIZES(X) MARKS(X)
#undef X
    Reading reading, answering; /* a line; those of a reply in our own log */
    Pool pool, spoken; /* values that stand together; those of the reply before */
    uint64_t hashes_of[MOST], chain_of[MOST], before_of[MOST], asked_of[MOST], signs_of[MOST];
    Content *contents_of[MOST];
    Values values_of[MOST];
    PyObject *written_of[MOST], *chains_of[MOST];
    uint64_t forms_of[MOST];
} Direct;

/* Where something is found: in a content, or with how contents end, around them, in the reply. */
enum { AT_END = -1, AROUND = -2, IN_REPLY = -3 };

typedef struct {
    int place;
    PyObject *finding;
} Found;

/* The two tables of an Index, or of a Memory. */
typedef struct {
    PyObject *of, *lately, *before;
} Index;

/* One line. */
typedef struct {
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
    PyObject *kept; /* the reply, as it is kept; what it weighs */
    uint64_t weighs;
    Index stood;
    Found found[FINDINGS];
    Held held;
} Line;

/* cut.c: 0, or -1 where the line is not taken */
int cut(Direct *d, Line *l);
int cut_kept(Direct *d, Line *l, PyObject *lines, Py_ssize_t begin, Py_ssize_t *count);
int goes_on(Direct *d, Line *l, PyObject *heard);
int real(Direct *d, Line *l, Values values, const Places *places);

/* look.c: likewise */
int look_up(Direct *d, Line *l, PyObject *path, Py_ssize_t number);
int shown(Direct *d, Line *l);
int numbers_of(Direct *d, Line *l);
int recited(Direct *d, Line *l, PyObject *reply);
Py_ssize_t stands(const Line *l, const Found *found);

/* rows.c */
int index_of(Line *l, PyObject *of, Index *index);
PyObject *alone(const Index *index, PyObject *key);
int holds(const Index *index, PyObject *key);
int marked(const Index *index, uint64_t value);
int by_marks(Direct *d, Line *l, Index *index);
int list_under(PyObject *rows, PyObject *key, PyObject *conversation);
int unlisted(Direct *d, Line *l);

/* take.c: 0, or -1 with an error */
int take_in(Direct *d, Line *l);

#endif
