/* JSON read once for two things: its shape, and what it says.

   A shape is the same JSON with the wording left out: it says where something is said, and not what. Whoever knows a
   shape needs not look at the JSON again, only at the values, which come as a list; a number in a shape is a place in
   that list. What may stand where is a table (shapes.py); what does not fit it is not read at all, and be it one key
   more. This file knows no protocol.

   Nothing is guessed: text is UTF-8, escapes are complete, numbers are small enough for everybody to read them alike.
   Whatever is doubtful is refused, for then somebody slower reads it. */

#include "read.h"
#include "numbers.h"
#include <stddef.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* What is fixed and at least so long is kept, as many as there are places and bytes for. */
enum { FIXED_LEAST = 512, FIXED_COUNT = 256, FIXED_ROOM = 1 << 20 };
enum { WORD_MOST = 128, DIGITS_MOST = 15, NUMBER_MOST = 20, DEPTH_MOST = 128, BASE64_MOST = 1 << 17 };

static const char *const NAMES[] = { /* in that order */
    "word", "spelt", "text", "there", "some", "bytes", "id", "base64", "data",
    "flag", "number", "zero", "figure", "digits", "any", "count", "fixed", "stamp",
    "members", "open", "object", "list", "form", "quiet", "events", "either",
};

typedef struct {
    const char *name; /* with quotes around it */
    Py_ssize_t length;
    uint64_t number;
    Node *node; /* NULL in OPEN */
} Key;

/* A long object or list that was read, and a number for it. */
typedef struct {
    char *text;
    Py_ssize_t length;
    uint64_t number;
} Seen;

struct Node {
    What what;
    int weight; /* COUNT */
    int marked; /* OBJECT: it is kept as it is written. LIST: it may begin with what was heard. OPEN: of strings */
    int count;
    Key *keys;
    int8_t *after;           /* OBJECT: which key came after each of them lately, and first of all */
    Node *inner, *other; /* LIST, FORM, QUIET, EVENTS: of what. EITHER: the object, the string */
    Seen *seen;          /* FIXED, STAMP */
    Py_ssize_t held;     /* the bytes of these */
};

uint64_t seed, factor;

/* Each of the functions that read gives 0, or -1 where something is unusual. A Python error is set only where memory
   ran out. */

/* Room for `least` and more. What fitted into the first room stood on the stack. */
static int grow(void **held, void *first, Py_ssize_t *room, Py_ssize_t least, size_t size)
{
    void *more = PyMem_Realloc(*held == first ? NULL : *held, 2 * least * size);
    if (more == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    if (*held == first)
        memcpy(more, first, *room * size);
    *held = more;
    *room = 2 * least;
    return 0;
}

static int put_text(Reading *r, const char *text, Py_ssize_t length)
{
    if (r->length + length > r->room && grow((void **)&r->shape, r->first_shape, &r->room, r->length + length, 1) < 0)
        return -1;
    memcpy(r->shape + r->length, text, length);
    r->length += length;
    return 0;
}

/* More of the shape. Of its number, what is written is one word where it is a few bytes. */
static inline int put(Reading *r, const char *text, Py_ssize_t length)
{
    if (r->spelled)
        return put_text(r, text, length);
    r->number = mixed(r->number, text, length);
    return 0;
}

static inline int put_word(Reading *r, const char *text, Py_ssize_t length)
{
    uint64_t word = 0;
    if (r->spelled)
        return put_text(r, text, length);
    memcpy(&word, text, length);
    r->number = mix(r->number, word);
    return 0;
}

#define PUT(r, literal) (sizeof(literal) <= 9 ? put_word : put)(r, literal, sizeof(literal) - 1)

static int put_number(Reading *r, Py_ssize_t number)
{
    if (!r->spelled) {
        r->number = mix(r->number, (uint64_t)number + seed);
        return 0;
    }
    char digits[24];
    char *p = digits + sizeof(digits);
    do {
        *--p = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return put(r, p, digits + sizeof(digits) - p);
}

static int push(Reading *r, Value value)
{
    if (r->count == r->places &&
        grow((void **)&r->values, r->first_values, &r->places, r->count + 1, sizeof(Value)) < 0)
        return -1;
    r->values[r->count++] = value;
    return 0;
}

/* Its place is put into the shape. */
static int hold(Reading *r, Value value)
{
    return push(r, value) < 0 ? -1 : put_number(r, r->count - 1 - r->base);
}

/* The values since `own` are those of a form that was read. */
static int finish(Reading *r, Py_ssize_t own, Value *form)
{
    Py_ssize_t count = r->count - own;
    if (r->done_count + count > r->done_places &&
        grow((void **)&r->done, r->first_done, &r->done_places, r->done_count + count, sizeof(Value)) < 0)
        return -1;
    memcpy(r->done + r->done_count, r->values + own, count * sizeof(Value));
    form->first = (int)r->done_count;
    form->count = (int)count;
    r->done_count += count;
    r->count = own;
    return 0;
}

static void blank(Reading *r)
{
    while (r->p < r->end && (unsigned char)*r->p <= ' ' &&
           (*r->p == ' ' || *r->p == '\n' || *r->p == '\r' || *r->p == '\t'))
        r->p++;
}

static int take(Reading *r, char c)
{
    blank(r);
    if (r->p >= r->end || *r->p != c)
        return -1;
    r->p++;
    return 0;
}

static int next_is(Reading *r, char c)
{
    blank(r);
    return r->p < r->end && *r->p == c;
}

static int literal(Reading *r, const char *word, Py_ssize_t length)
{
    if (r->end - r->p < length || *r->p != *word || memcmp(r->p, word, length) != 0)
        return 0;
    r->p += length;
    return 1;
}

/* Strings */

static int hex(const char *p, unsigned *code)
{
    *code = 0;
    for (int n = 0; n < 4; n++) {
        char c = p[n];
        unsigned digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 16;
        if (digit > 15)
            return -1;
        *code = *code << 4 | digit;
    }
    return 0;
}

/* Past one escape. A surrogate stands for nothing without its other half. */
static int escape(Reading *r, unsigned *code)
{
    static const char meant[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    if (r->end - r->p < 2)
        return -1;
    if ((*code = (unsigned char)meant[(unsigned char)r->p[1]])) {
        r->p += 2;
        return 0;
    }
    if (r->p[1] != 'u' || r->end - r->p < 6 || hex(r->p + 2, code) < 0)
        return -1;
    r->p += 6;
    if (*code < 0xD800 || *code > 0xDFFF)
        return 0;
    unsigned low;
    if (*code > 0xDBFF || r->end - r->p < 6 || r->p[0] != '\\' || r->p[1] != 'u' || hex(r->p + 2, &low) < 0)
        return -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return -1;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    r->p += 6;
    return 0;
}

#define EACH(byte) (0x0101010101010101ULL * (byte))
#define HIGH EACH(0x80)
/* Not zero where a byte of the word is zero, or less than n (below 0x80); the first such byte is told rightly. */
#define ZERO(word) (((word) - EACH(1)) & ~(word) & HIGH)
#define LESS(word, n) (((word) - EACH(n)) & ~(word) & HIGH)

static int is_utf8(const unsigned char *p, const unsigned char *end)
{
    while (p < end) {
        uint64_t word;
        if (*p < 0x80) {
            p++;
            while (end - p >= 8 && (memcpy(&word, p, 8), (word & HIGH) == 0))
                p += 8;
            continue;
        }
        int more = *p >= 0xC2 && *p <= 0xDF ? 1 : *p >= 0xE0 && *p <= 0xEF ? 2 : *p >= 0xF0 && *p <= 0xF4 ? 3 : 0;
        if (more == 0 || end - p <= more)
            return 0;
        /* Neither longer than need be, nor a surrogate, nor beyond the last character. */
        if ((*p == 0xE0 && p[1] < 0xA0) || (*p == 0xED && p[1] > 0x9F) || (*p == 0xF0 && p[1] < 0x90) ||
            (*p == 0xF4 && p[1] > 0x8F))
            return 0;
        for (int n = 1; n <= more; n++)
            if ((p[n] & 0xC0) != 0x80)
                return 0;
        p += more + 1;
    }
    return 1;
}

typedef struct {
    const char *begin;
    Py_ssize_t length;
    int escaped, ascii;
} String;

/* To the next byte of a string that is none of its plain text; whether there was any beyond ASCII before it. */
static const char *plain(const char *p, const char *end, int *beyond)
{
    uint64_t high = 0;
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    while (end - p >= 16) {
        __m128i some = _mm_loadu_si128((const __m128i *)p);
        __m128i ends = _mm_or_si128(_mm_cmpeq_epi8(some, quote), _mm_cmpeq_epi8(some, slash));
        int special = _mm_movemask_epi8(_mm_or_si128(ends, _mm_cmpeq_epi8(_mm_min_epu8(some, control), some)));
        high |= (unsigned)_mm_movemask_epi8(some);
        if (special) {
            *beyond |= high != 0;
            return p + __builtin_ctz((unsigned)special);
        }
        p += 16;
    }
#endif
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t word, special;
        memcpy(&word, p, 8);
        special = ZERO(word ^ EACH('"')) | ZERO(word ^ EACH('\\')) | LESS(word, 0x20);
        high |= word & HIGH;
        if (special) {
            *beyond |= high != 0;
            return p + __builtin_ctzll(special) / 8;
        }
        p += 8;
    }
#endif
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        high |= *p++ & 0x80;
    *beyond |= high != 0;
    return p;
}

static int past_string(Reading *r, String *s)
{
    unsigned code;
    int beyond = 0;
    s->escaped = 0;
    if (take(r, '"') < 0)
        return -1;
    s->begin = r->p;
    while ((r->p = plain(r->p, r->end, &beyond)) < r->end && *r->p == '\\') {
        s->escaped = 1;
        if (escape(r, &code) < 0)
            return -1;
    }
    if (r->p >= r->end || *r->p != '"')
        return -1;
    s->length = r->p++ - s->begin;
    s->ascii = !beyond;
    return 0;
}

static int string(Reading *r, String *s)
{
    if (past_string(r, s) < 0)
        return -1;
    const unsigned char *begin = (const unsigned char *)s->begin;
    return s->ascii || is_utf8(begin, begin + s->length) ? 0 : -1;
}

static char *utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* What a string says: its plain text, and what its escapes mean. It is never longer than it is written. */
static char *unescaped(Reading *r, const String *s, char *out)
{
    const char *after = r->p, *end = s->begin + s->length;
    r->p = s->begin;
    for (;;) {
        const char *slash = memchr(r->p, '\\', end - r->p);
        Py_ssize_t plain = (slash == NULL ? end : slash) - r->p;
        memcpy(out, r->p, plain);
        out += plain;
        if (slash == NULL)
            break;
        unsigned code = 0;
        r->p = slash;
        escape(r, &code); /* it was looked at when the string was read */
        out = utf8(out, code);
    }
    r->p = after;
    return out;
}

static int room_for(char **text, Py_ssize_t *room, Py_ssize_t size)
{
    if (size <= *room)
        return 0;
    PyMem_Free(*text);
    *room = 0;
    *text = PyMem_Malloc(size);
    if (*text == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    *room = size;
    return 0;
}

/* Of all strings of a reading there is room for one after the other: for as many bytes as it has. */
static int unescape(Reading *r, String *s)
{
    if (!s->escaped)
        return 0;
    if (r->text_length == 0 && room_for(&r->text, &r->text_room, r->size) < 0)
        return -1;
    char *begin = r->text + r->text_length;
    s->length = unescaped(r, s, begin) - begin;
    s->begin = begin;
    r->text_length += s->length;
    return 0;
}

/* Numbers */

static int digits(Reading *r)
{
    const char *begin = r->p;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
        r->p++;
    return r->p > begin ? 0 : -1;
}

static int figure(Reading *r, int *whole)
{
    const char *begin = r->p;
    *whole = 1;
    if (r->p < r->end && *r->p == '-')
        r->p++;
    const char *first = r->p;
    if (digits(r) < 0 || (*first == '0' && r->p - first > 1))
        return -1;
    if (r->p < r->end && *r->p == '.') {
        *whole = 0;
        r->p++;
        if (digits(r) < 0)
            return -1;
    }
    if (r->p < r->end && (*r->p | 32) == 'e') {
        *whole = 0;
        r->p++;
        if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
            r->p++;
        const char *power = r->p;
        if (digits(r) < 0 || r->p - power > 2)
            return -1;
    }
    return r->p - begin > NUMBER_MOST ? -1 : 0;
}

static int whole(Reading *r, int64_t *number)
{
    const char *begin = r->p;
    int is_whole;
    if (figure(r, &is_whole) < 0 || !is_whole || *begin == '-' || r->p - begin > DIGITS_MOST)
        return -1;
    *number = 0;
    for (const char *p = begin; p < r->p; p++)
        *number = 10 * *number + (*p - '0');
    return 0;
}

/* Past anything */

static int past(Reading *r);

static int past_members(Reading *r, char closing)
{
    String s;
    if (++r->depth > DEPTH_MOST)
        return -1;
    r->p++;
    if (!next_is(r, closing)) {
        do {
            if (closing == '}' && (string(r, &s) < 0 || take(r, ':') < 0))
                return -1;
            if (past(r) < 0)
                return -1;
        } while (take(r, ',') == 0);
    }
    r->depth--;
    return take(r, closing);
}

static int past(Reading *r)
{
    String s;
    int is_whole;
    blank(r);
    if (r->p >= r->end)
        return -1;
    switch (*r->p) {
    case '"':
        return string(r, &s);
    case '{':
        return past_members(r, '}');
    case '[':
        return past_members(r, ']');
    case 't':
        return literal(r, "true", 4) - 1;
    case 'f':
        return literal(r, "false", 5) - 1;
    case 'n':
        return literal(r, "null", 4) - 1;
    default:
        return figure(r, &is_whole);
    }
}

/* What stands where the table says */

static int look(Reading *r, Node *node);

static Value said(What what, const char *text, Py_ssize_t size)
{
    return (Value){.text = text, .size = size, .what = what};
}

static int read_text(Reading *r, What what)
{
    String s;
    if (string(r, &s) < 0)
        return -1;
    if (s.length == 0)
        return PUT(r, "\"\"");
    if (what == THERE)
        return PUT(r, "1");
    if (unescape(r, &s) < 0)
        return -1;
    if (what == SOME) /* base64 has no colon */
        return s.length > 4 && s.begin[4] == ':' ? PUT(r, "2") : PUT(r, "1");
    return hold(r, said(what, s.begin, s.length));
}

static int read_word(Reading *r, What what)
{
    String s;
    if (string(r, &s) < 0 || (s.escaped && what == WORD) || s.length > WORD_MOST)
        return -1;
    return put(r, s.begin - 1, s.length + 2);
}

/* Two ids of a form that are the same have one place. */
static int read_id(Reading *r)
{
    Py_ssize_t before = r->count, length = r->length;
    uint64_t number = r->number;
    if (read_text(r, ID) < 0)
        return -1;
    if (r->count == before)
        return 0;
    const Value *id = &r->values[before];
    if (id->size > WORD_MOST)
        return -1;
    for (int n = r->id_base; n < r->id_count; n++) {
        const Value *other = &r->values[r->ids[n]];
        if (other->size == id->size && memcmp(other->text, id->text, id->size) == 0) {
            r->count--;
            r->length = length;
            r->number = number;
            return put_number(r, r->ids[n] - r->base);
        }
    }
    if (r->id_count == IDS_MOST)
        return -1;
    r->ids[r->id_count++] = before;
    return 0;
}

static const char is_base64[256] = {
    ['A'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ['a'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    ['0'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ['+'] = 1, ['/'] = 1,
};

static int read_base64(Reading *r, What what)
{
    String s;
    if (string(r, &s) < 0 || s.escaped || s.length % 4 || (what == BASE64 && s.length > BASE64_MOST))
        return -1;
    if (s.length == 0)
        return PUT(r, "\"\"");
    Py_ssize_t own = s.length - (s.begin[s.length - 1] == '=') - (s.begin[s.length - 2] == '=');
    int wrong = 0;
    for (const char *p = s.begin; p < s.begin + own; p++)
        wrong |= !is_base64[(unsigned char)*p];
    if (wrong)
        return -1;
    if (what == DATA)
        return PUT(r, "1");
    return hold(r, said(BASE64, s.begin, s.length));
}

static int read_flag(Reading *r)
{
    blank(r);
    if (literal(r, "true", 4))
        return PUT(r, "true");
    return literal(r, "false", 5) ? PUT(r, "false") : -1;
}

static int read_number(Reading *r)
{
    int64_t number;
    blank(r);
    return whole(r, &number) < 0 ? -1 : put_number(r, (Py_ssize_t)number);
}

static int read_zero(Reading *r)
{
    int64_t number;
    blank(r);
    return whole(r, &number) < 0 ? -1 : number ? PUT(r, "1") : PUT(r, "0");
}

static int read_digits(Reading *r)
{
    int is_whole;
    const char *begin = r->p;
    return figure(r, &is_whole) < 0 ? -1 : hold(r, said(DIGITS, begin, r->p - begin));
}

/* Where what stands here is kept, if it is: a few of its bytes tell. */
static Seen *seen_at(const Reading *r, const Node *node)
{
    char some[FIXED_LEAST / 8];
    if (r->end - r->p < FIXED_LEAST || (*r->p != '[' && *r->p != '{'))
        return NULL;
    for (int n = 0; n < (int)sizeof(some); n += 8)
        memcpy(some + n, r->p + 8 * n, 8);
    return &node->seen[mixed(0, some, sizeof(some)) % FIXED_COUNT];
}

static void forget_seen(Node *node)
{
    for (int n = 0; n < FIXED_COUNT; n++)
        PyMem_Free(node->seen[n].text);
    memset(node->seen, 0, FIXED_COUNT * sizeof(Seen));
    node->held = 0;
}

static void see(Node *node, Seen *seen, const char *text, Py_ssize_t length, uint64_t number)
{
    if (length > FIXED_ROOM / 4)
        return;
    if (node->held + length > FIXED_ROOM)
        forget_seen(node);
    char *own = PyMem_Realloc(seen->text, length);
    if (own == NULL)
        return; /* it is read again, then */
    memcpy(own, text, length);
    node->held += length - seen->length;
    *seen = (Seen){own, length, number};
}

/* Past what is fixed. What comes again and again is known when it is seen. */
static int past_fixed(Reading *r, Node *node, uint64_t *number)
{
    blank(r);
    const char *begin = r->p;
    Seen *seen = seen_at(r, node);
    /* An object or a list ends where it ends, whatever follows. */
    if (seen != NULL && seen->length && seen->length <= r->end - begin && !memcmp(begin, seen->text, seen->length)) {
        r->p += seen->length;
        *number = seen->number;
        return 0;
    }
    if (past(r) < 0)
        return -1;
    Py_ssize_t length = r->p - begin;
    *number = mixed(seed, begin, length);
    if (seen != NULL && length >= FIXED_LEAST)
        see(node, seen, begin, length, *number);
    return 0;
}

static int read_fixed(Reading *r, Node *node)
{
    uint64_t number;
    if (past_fixed(r, node, &number) < 0)
        return -1;
    r->key = mixed(r->key, (const char *)&number, sizeof(number));
    return PUT(r, "1");
}

static int read_stamp(Reading *r, Node *node)
{
    uint64_t number;
    return past_fixed(r, node, &number) < 0 ? -1 : hold(r, (Value){.number = number, .what = STAMP});
}

static int read_members(Reading *r)
{
    if (!next_is(r, '{'))
        return -1;
    const char *begin = r->p++;
    if (next_is(r, '}')) {
        r->p++;
        return PUT(r, "{}");
    }
    r->p = begin;
    return past(r) < 0 ? -1 : hold(r, said(MEMBERS, begin, r->p - begin));
}

static int key_of(const Node *node, const String *s)
{
    for (int n = 0; n < node->count; n++)
        if (node->keys[n].length == s->length && *node->keys[n].name == *s->begin &&
            memcmp(node->keys[n].name, s->begin, s->length) == 0)
            return n;
    return -1;
}

static int read_open(Reading *r, const Node *node)
{
    String s;
    uint32_t seen = 0;
    if (take(r, '{') < 0)
        return -1;
    if (next_is(r, '}')) {
        r->p++;
        return PUT(r, "{}");
    }
    do {
        if (string(r, &s) < 0 || s.escaped || take(r, ':') < 0)
            return -1;
        if ((node->marked && !next_is(r, '"')) || past(r) < 0)
            return -1;
        int n = key_of(node, &s);
        if (n >= 0)
            seen |= 1u << n;
    } while (take(r, ',') == 0);
    if (PUT(r, "{\"\":1") < 0)
        return -1;
    for (int n = 0; n < node->count; n++)
        if (seen >> n & 1)
            if (PUT(r, ",\"") < 0 || put(r, node->keys[n].name, node->keys[n].length) < 0 || PUT(r, "\":1") < 0)
                return -1;
    return PUT(r, "}") < 0 ? -1 : take(r, '}');
}

/* What was read since this place is kept as it is written. */
static int keep(Reading *r, const char *begin)
{
    if (r->kept_count == r->kept_places &&
        grow((void **)&r->kept, r->first_kept, &r->kept_places, r->kept_count + 1, sizeof(Span)) < 0)
        return -1;
    r->kept[r->kept_count++] = (Span){begin, r->p - begin};
    return 0;
}

/* The next key of an object: most often the one that came there before. */
static int next_key(Reading *r, Node *node, int last)
{
    String s;
    blank(r);
    const Key *key = &node->keys[node->after[last]];
    if (node->count && r->end - r->p > key->length + 2 && memcmp(r->p, key->name - 1, key->length + 2) == 0) {
        r->p += key->length + 2;
        return node->after[last];
    }
    if (string(r, &s) < 0 || s.escaped)
        return -1;
    int n = key_of(node, &s);
    if (n >= 0)
        node->after[last] = (int8_t)n;
    return n;
}

static inline int put_key(Reading *r, const Key *key, uint32_t before)
{
    if (!r->spelled) {
        r->number = mix(r->number, key->number);
        return 0;
    }
    return (before && PUT(r, ",") < 0) || put(r, key->name - 1, key->length + 2) < 0 || PUT(r, ":") < 0 ? -1 : 0;
}

static int read_object(Reading *r, Node *node)
{
    uint32_t seen = 0;
    int64_t sum = 0;
    int counts = 0;
    blank(r);
    const char *begin = r->p;
    if (take(r, '{') < 0 || PUT(r, "{") < 0)
        return -1;
    if (!next_is(r, '}')) {
        int last = node->count;
        do {
            int n = next_key(r, node, last);
            if (n < 0 || seen >> n & 1 || take(r, ':') < 0)
                return -1;
            const Key *key = &node->keys[n];
            if (put_key(r, key, seen) < 0)
                return -1;
            seen |= 1u << n;
            last = n;
            Node *inner = node->keys[n].node;
            if (inner->what == COUNT) {
                int64_t number;
                blank(r);
                if (whole(r, &number) < 0 || PUT(r, "1") < 0)
                    return -1;
                counts = 1;
                sum += inner->weight * number;
            } else if (look(r, inner) < 0) {
                return -1;
            }
        } while (take(r, ',') == 0);
    }
    if (take(r, '}') < 0)
        return -1;
    if (counts && (sum == 0 ? PUT(r, ",\"=\":true") : PUT(r, ",\"=\":false")) < 0)
        return -1;
    return PUT(r, "}") < 0 || (node->marked && keep(r, begin) < 0) ? -1 : 0;
}

static int read_list(Reading *r, Node *node)
{
    int heard = 0;
    if (take(r, '[') < 0 || PUT(r, "[") < 0)
        return -1;
    blank(r);
    if (node->marked && r->past && r->p == r->at) {
        r->p += r->past;
        r->past = 0;
        heard = 1;
    }
    if (heard ? take(r, ',') == 0 : !next_is(r, ']')) {
        int first = 1;
        do {
            if ((!first && PUT(r, ",") < 0) || look(r, node->inner) < 0)
                return -1;
            first = 0;
        } while (take(r, ',') == 0);
    }
    return take(r, ']') < 0 ? -1 : PUT(r, "]");
}

/* Reads something that has values and ids of its own; where they begin. */
static Py_ssize_t look_within(Reading *r, Node *node)
{
    Py_ssize_t base = r->base, own = r->count;
    int ids = r->id_base;
    r->base = own;
    r->id_base = r->id_count;
    if (look(r, node) < 0)
        return -1;
    r->id_count = r->id_base;
    r->id_base = ids;
    r->base = base;
    return own;
}

/* The shape since `length` is the reading's no more; where it is kept. */
static int take_shape(Reading *r, Py_ssize_t length, uint64_t *number)
{
    if (r->shapes == NULL && (r->shapes = PyList_New(0)) == NULL)
        return -1;
    PyObject *shape = PyBytes_FromStringAndSize(r->shape + length, r->length - length);
    int failed = shape == NULL || PyList_Append(r->shapes, shape) < 0;
    Py_XDECREF(shape);
    *number = (uint64_t)PyList_GET_SIZE(r->shapes) - 1;
    r->length = length;
    return failed ? -1 : 0;
}

/* Something with a shape and values of its own. */
static int form_of(Reading *r, Node *node, Value *form)
{
    uint64_t number = r->number;
    blank(r);
    *form = said(FORM, r->p, 0);
    r->number = seed;
    Py_ssize_t length = r->length, own = look_within(r, node);
    form->size = r->p - form->text;
    form->number = r->number;
    r->number = number;
    return own < 0 || finish(r, own, form) < 0 || (r->spelled && take_shape(r, length, &form->number) < 0) ? -1 : 0;
}

static int read_form(Reading *r, Node *node)
{
    Value form;
    return form_of(r, node->inner, &form) < 0 || PUT(r, "[") < 0 || hold(r, form) < 0 ? -1 : PUT(r, "]");
}

static int read_quiet(Reading *r, Node *node)
{
    Py_ssize_t own = look_within(r, node->inner);
    if (own < 0)
        return -1;
    r->count = own;
    return 0;
}

/* Reads all of a text as one thing, and adds its form. */
static int add_form(Reading *r, Node *node, const char *begin, const char *end)
{
    Value form;
    r->p = begin;
    r->end = end;
    if (form_of(r, node, &form) < 0)
        return -1;
    blank(r);
    return r->p != end ? -1 : push(r, form);
}

/* Each event has one line of data, and all end in the same way. A lone CR would end a line, too. */
static int add_events(Reading *r, Node *node, const char *p, const char *last)
{
    const char *ends = NULL;
    while (p < last) {
        const char *end = memchr(p, '\n', last - p);
        if (end == NULL || last - p < 6 || memcmp(p, "data: ", 6) != 0)
            return -1;
        end -= end[-1] == '\r';
        if (ends == NULL)
            ends = *end == '\r' ? "\r\n\r\n" : "\n\n";
        Py_ssize_t length = (Py_ssize_t)strlen(ends);
        if (last - end < length || memcmp(end, ends, length) != 0 || memchr(p, '\r', end - p) != NULL)
            return -1;
        if (add_form(r, node, p + 6, end) < 0)
            return -1;
        p = end + length;
    }
    return ends == NULL ? -1 : 0;
}

/* The string has room of its own, where it is written with escapes: the strings in it stand in the other. */
static int read_events(Reading *r, Node *node)
{
    String s;
    if (string(r, &s) < 0 || s.length == 0)
        return -1;
    const char *p = r->p, *end = r->end, *last = s.begin + s.length;
    if (s.escaped) {
        if (room_for(&r->stream, &r->stream_room, s.length) < 0)
            return -1;
        last = unescaped(r, &s, r->stream);
        s.begin = r->stream;
    }
    Value several = said(EVENTS, s.begin, last - s.begin);
    Py_ssize_t own = r->count;
    int one = *s.begin == '{';
    if (one ? add_form(r, node->inner, s.begin, last) < 0 : add_events(r, node->inner, s.begin, last) < 0)
        return -1;
    r->p = p;
    r->end = end;
    if (finish(r, own, &several) < 0 || PUT(r, "[") < 0 || hold(r, several) < 0)
        return -1;
    return one ? PUT(r, ",false]") : PUT(r, ",true]");
}

static int look(Reading *r, Node *node)
{
    int is_whole;
    blank(r);
    if (literal(r, "null", 4))
        return PUT(r, "null");
    switch (node->what) {
    case WORD:
    case SPELT:
        return read_word(r, node->what);
    case TEXT:
    case THERE:
    case SOME:
    case BYTES:
        return read_text(r, node->what);
    case ID:
        return read_id(r);
    case BASE64:
    case DATA:
        return read_base64(r, node->what);
    case FLAG:
        return read_flag(r);
    case NUMBER:
        return read_number(r);
    case ZERO:
        return read_zero(r);
    case DIGITS:
        return read_digits(r);
    case FIGURE:
        return figure(r, &is_whole) < 0 ? -1 : PUT(r, "1");
    case ANY:
        return past(r) < 0 ? -1 : PUT(r, "1");
    case FIXED:
        return read_fixed(r, node);
    case STAMP:
        return read_stamp(r, node);
    case MEMBERS:
        return read_members(r);
    case OPEN:
        return read_open(r, node);
    case OBJECT:
        return read_object(r, node);
    case LIST:
        return read_list(r, node);
    case FORM:
        return read_form(r, node);
    case QUIET:
        return read_quiet(r, node);
    case EVENTS:
        return read_events(r, node);
    case EITHER:
        return look(r, next_is(r, '"') ? node->other : node->inner);
    default: /* COUNT: only an object has them */
        return -1;
    }
}

/* The table, as it comes from Python: ("text",), ("count", 1), ("object", {"key": …}, False), ("list", …, False),
   ("form", …), ("quiet", …), ("events", …), ("either", …, …), ("open", {"key": None}, False). */

static void forget(Node *node)
{
    if (node == NULL)
        return;
    for (int n = 0; n < node->count; n++) {
        if (node->keys[n].name != NULL)
            PyMem_Free((char *)node->keys[n].name - 1);
        forget(node->keys[n].node);
    }
    PyMem_Free(node->keys);
    PyMem_Free(node->after);
    if (node->seen != NULL)
        forget_seen(node);
    PyMem_Free(node->seen);
    forget(node->inner);
    forget(node->other);
    PyMem_Free(node);
}

static Node *node_of(PyObject *row);

static int name_key(Key *key, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, &key->length);
    if (text == NULL)
        return -1;
    char *own = PyMem_Malloc(key->length + 2);
    if (own == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    own[0] = own[key->length + 1] = '"';
    memcpy(own + 1, text, key->length);
    key->name = own + 1;
    key->number = mixed(seed, text, key->length);
    return 0;
}

static int keys_of(Node *node, PyObject *keys)
{
    PyObject *name, *row;
    Py_ssize_t at = 0, count = PyDict_Size(keys);
    if (count < 0)
        return -1;
    if (count > 32) {
        PyErr_SetString(PyExc_ValueError, "an object has at most 32 keys");
        return -1;
    }
    node->keys = PyMem_Calloc(count ? count : 1, sizeof(Key));
    node->after = PyMem_Calloc(count + 1, sizeof(*node->after));
    if (node->keys == NULL || node->after == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    while (PyDict_Next(keys, &at, &name, &row)) {
        Key *key = &node->keys[node->count];
        if (name_key(key, name) < 0)
            return -1;
        node->count++;
        if (row != Py_None && (key->node = node_of(row)) == NULL)
            return -1;
    }
    return 0;
}

static Node *node_of(PyObject *row)
{
    const char *name;
    PyObject *first = NULL, *second = NULL;
    if (!PyTuple_Check(row) || !PyArg_ParseTuple(row, "s|OO", &name, &first, &second)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a row of the table is a tuple");
        return NULL;
    }
    int what = 0, last = sizeof(NAMES) / sizeof(*NAMES);
    while (what < last && strcmp(NAMES[what], name) != 0)
        what++;
    Node *node = what < last ? PyMem_Calloc(1, sizeof(Node)) : NULL;
    if (node == NULL) {
        PyErr_Format(PyExc_ValueError, "nothing is called %s", name);
        return NULL;
    }
    node->what = (What)what;
    int wrong = 0;
    switch (node->what) {
    case COUNT:
        node->weight = (int)PyLong_AsLong(first);
        break;
    case OPEN:
    case OBJECT:
        wrong = keys_of(node, first);
        node->marked = second == Py_True;
        break;
    case LIST:
        node->marked = second == Py_True; /* fall through */
    case FORM:
    case QUIET:
    case EVENTS:
        wrong = (node->inner = node_of(first)) == NULL;
        break;
    case FIXED:
    case STAMP:
        node->seen = PyMem_Calloc(FIXED_COUNT, sizeof(Seen));
        if ((wrong = node->seen == NULL))
            PyErr_NoMemory();
        break;
    case EITHER:
        wrong = (node->inner = node_of(first)) == NULL || (node->other = node_of(second)) == NULL;
        break;
    default:
        break;
    }
    if (wrong || PyErr_Occurred()) {
        forget(node);
        return NULL;
    }
    return node;
}

typedef struct {
    PyObject_HEAD
    Node *node;
} Reader;

PyTypeObject *reader_type;

Node *table_of(PyObject *reader)
{
    return Py_IS_TYPE(reader, reader_type) ? ((Reader *)reader)->node : NULL;
}

static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *row;
    if (!PyArg_ParseTuple(args, "O", &row))
        return NULL;
    Reader *reader = (Reader *)type->tp_alloc(type, 0);
    if (reader != NULL && (reader->node = node_of(row)) == NULL) {
        Py_DECREF(reader);
        return NULL;
    }
    return (PyObject *)reader;
}

static void reader_free(Reader *reader)
{
    PyTypeObject *type = Py_TYPE(reader);
    forget(reader->node);
    type->tp_free(reader);
    Py_DECREF(type);
}

/* A reading begins. What room there is from the one before stays. */

void open_reading(Reading *r)
{
    memset(r, 0, offsetof(Reading, ids));
    r->shape = r->first_shape;
    r->room = SHAPE_FIRST;
    r->values = r->first_values;
    r->done = r->first_done;
    r->places = r->done_places = VALUES_FIRST;
    r->kept = r->first_kept;
    r->kept_places = KEPT_FIRST;
}

static void start(Reading *r, const char *data, Py_ssize_t size, int spelled)
{
    Py_CLEAR(r->shapes);
    r->data = r->p = data;
    r->end = data + size;
    r->size = size;
    r->spelled = spelled;
    r->past = r->length = r->text_length = r->count = r->base = r->done_count = r->kept_count = 0;
    r->id_count = r->id_base = r->depth = 0;
    r->key = r->number = seed;
}

void close_reading(Reading *r)
{
    Py_CLEAR(r->shapes);
    if (r->shape != r->first_shape)
        PyMem_Free(r->shape);
    if (r->values != r->first_values)
        PyMem_Free(r->values);
    if (r->done != r->first_done)
        PyMem_Free(r->done);
    if (r->kept != r->first_kept)
        PyMem_Free(r->kept);
    PyMem_Free(r->text);
    PyMem_Free(r->stream);
}

/* Reads all of it. */
static int read_whole(Reading *r, Node *node)
{
    if (look(r, node) < 0)
        return -1;
    blank(r);
    return r->p == r->end && r->past == 0 ? 0 : -1;
}

int recognise(Reading *r, Node *node, const char *data, Py_ssize_t size, Py_ssize_t at, Py_ssize_t past)
{
    start(r, data, size, 0);
    r->at = data + at;
    r->past = past;
    if (read_whole(r, node) < 0)
        return -1;
    r->number = mix(r->number, r->key);
    return 0;
}

/* For Python: a text, bytes, a number; a pair of a shape, or of a number for it, and of what is said there; or a list
   of such pairs. */

static PyObject *object_of(const Reading *r, const Value *value);

static PyObject *objects_of(const Reading *r, const Value *values, Py_ssize_t count)
{
    PyObject *all = PyTuple_New(count);
    for (Py_ssize_t n = 0; n < count && all != NULL; n++) {
        PyObject *one = object_of(r, &values[n]);
        if (one == NULL)
            Py_CLEAR(all);
        else
            PyTuple_SET_ITEM(all, n, one);
    }
    return all;
}

static PyObject *form_object(const Reading *r, const Value *form)
{
    PyObject *shape = r->spelled ? Py_NewRef(PyList_GET_ITEM(r->shapes, (Py_ssize_t)form->number))
                                 : PyLong_FromUnsignedLongLong(form->number);
    PyObject *values = objects_of(r, r->done + form->first, form->count);
    PyObject *both = shape == NULL || values == NULL ? NULL : PyTuple_Pack(2, shape, values);
    Py_XDECREF(shape);
    Py_XDECREF(values);
    return both;
}

static PyObject *list_object(PyObject *several)
{
    PyObject *list = several == NULL ? NULL : PySequence_List(several);
    Py_XDECREF(several);
    return list;
}

static PyObject *object_of(const Reading *r, const Value *value)
{
    switch (value->what) {
    case TEXT:
    case ID:
        return PyUnicode_DecodeUTF8(value->text, value->size, NULL);
    case STAMP:
        return PyLong_FromUnsignedLongLong(value->number);
    case FORM:
        return form_object(r, value);
    case EVENTS:
        return list_object(objects_of(r, r->done + value->first, value->count));
    default:
        return PyBytes_FromStringAndSize(value->text, value->size);
    }
}

static PyObject *kept_objects(const Reading *r)
{
    PyObject *all = PyList_New(r->kept_count);
    for (Py_ssize_t n = 0; n < r->kept_count && all != NULL; n++) {
        PyObject *one = PyBytes_FromStringAndSize(r->kept[n].text, r->kept[n].size);
        if (one == NULL)
            Py_CLEAR(all);
        else
            PyList_SET_ITEM(all, n, one);
    }
    return all;
}

static PyObject *told(const Reading *r)
{
    const Span *last = r->kept_count ? &r->kept[r->kept_count - 1] : NULL;
    PyObject *first =
        r->spelled ? PyBytes_FromStringAndSize(r->shape, r->length) : PyLong_FromUnsignedLongLong(r->number);
    PyObject *values = objects_of(r, r->values, r->count), *kept = kept_objects(r);
    PyObject *end = PyLong_FromSsize_t(last == NULL ? 0 : last->text + last->size - r->data);
    PyObject *all = first == NULL || values == NULL || kept == NULL || end == NULL
                        ? NULL
                        : PyTuple_Pack(4, first, values, kept, end);
    Py_XDECREF(first);
    Py_XDECREF(values);
    Py_XDECREF(kept);
    Py_XDECREF(end);
    return all;
}

/* The arguments of a reading: data, and from where; what was heard: where it begins, and how long it is. */
static int arguments(PyObject *const *args, Py_ssize_t count, Py_ssize_t numbers[3])
{
    if (count < 1 || count > 4 || !PyBytes_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "(data: bytes, begin: int = 0, at: int = 0, past: int = 0)");
        return -1;
    }
    for (Py_ssize_t n = 1; n < count; n++)
        if ((numbers[n - 1] = PyLong_AsSsize_t(args[n])) < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "places are not negative");
            return -1;
        }
    Py_ssize_t size = PyBytes_GET_SIZE(args[0]);
    if (numbers[0] > size || numbers[1] > size || numbers[2] > size - numbers[1]) {
        PyErr_SetString(PyExc_ValueError, "places are within the data");
        return -1;
    }
    return 0;
}

static PyObject *read_all(const Reader *reader, PyObject *const *args, Py_ssize_t count, int keyed)
{
    Py_ssize_t numbers[3] = {0, 0, 0};
    if (arguments(args, count, numbers) < 0)
        return NULL;
    Reading r;
    open_reading(&r);
    start(&r, PyBytes_AS_STRING(args[0]), PyBytes_GET_SIZE(args[0]), !keyed);
    r.p += numbers[0];
    r.at = r.data + numbers[1];
    r.past = numbers[2];
    PyObject *all = NULL;
    if (read_whole(&r, reader->node) == 0) {
        r.number = mix(r.number, r.key);
        all = told(&r);
    }
    close_reading(&r);
    if (all == NULL && !PyErr_Occurred())
        Py_RETURN_NONE;
    return all;
}

static PyObject *reader_read(Reader *reader, PyObject *const *args, Py_ssize_t count)
{
    return read_all(reader, args, count, 0);
}

static PyObject *reader_recognise(Reader *reader, PyObject *const *args, Py_ssize_t count)
{
    return read_all(reader, args, count, 1);
}

/* Adds the lines up to this one, of which the last was read here. */
static int add_group(PyObject *groups, const Reading *r, Py_ssize_t end)
{
    PyObject *shape = PyBytes_FromStringAndSize(r->shape, r->length), *values = objects_of(r, r->values, r->count);
    PyObject *group = shape == NULL || values == NULL ? NULL : Py_BuildValue("OOn", shape, values, end);
    int failed = group == NULL || PyList_Append(groups, group) < 0;
    Py_XDECREF(shape);
    Py_XDECREF(values);
    Py_XDECREF(group);
    return failed ? -1 : 0;
}

static int read_line(Node *node, Reading *r, PyObject *line, PyObject *prefix)
{
    Py_ssize_t size = PyBytes_Check(line) ? PyBytes_GET_SIZE(line) : -1, first = PyBytes_GET_SIZE(prefix);
    if (size < first || memcmp(PyBytes_AS_STRING(line), PyBytes_AS_STRING(prefix), first) != 0)
        return -1;
    start(r, PyBytes_AS_STRING(line), size, 1);
    return read_whole(r, node);
}

/* Two readings take turns, so that a line can be compared with the one before it. */
static PyObject *reader_read_lines(Reader *reader, PyObject *const *args, Py_ssize_t count)
{
    if (count != 3 || !PyBytes_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "read_lines(lines: Sequence[bytes], begin: int, prefix: bytes)");
        return NULL;
    }
    Py_ssize_t begin = PyLong_AsSsize_t(args[1]), at = begin;
    if (begin < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "places are not negative");
        return NULL;
    }
    PyObject *groups = PyList_New(0), *lines = PySequence_Fast(args[0], "lines are a sequence");
    if (groups == NULL || lines == NULL) {
        Py_XDECREF(groups);
        Py_XDECREF(lines);
        return NULL;
    }
    Reading turns[2];
    PyObject *last = NULL; /* the values of a reading stand in its line */
    open_reading(&turns[0]);
    open_reading(&turns[1]);
    int failed = 0;
    /* A tuple may set the garbage collector off, and that anything: the list may have become shorter. */
    for (; !failed && at < PySequence_Fast_GET_SIZE(lines); at++) {
        Reading *r = &turns[at & 1], *before = &turns[~at & 1];
        PyObject *line = Py_NewRef(PySequence_Fast_GET_ITEM(lines, at));
        if (read_line(reader->node, r, line, args[2]) < 0) {
            Py_DECREF(line);
            break;
        }
        int alike = r->length == before->length && memcmp(r->shape, before->shape, r->length) == 0;
        failed = at > begin && !alike && add_group(groups, before, at) < 0;
        Py_XSETREF(last, line);
    }
    failed = failed || PyErr_Occurred() || (at > begin && add_group(groups, &turns[~at & 1], at) < 0);
    Py_XDECREF(last);
    close_reading(&turns[0]);
    close_reading(&turns[1]);
    Py_DECREF(lines);
    if (failed)
        Py_CLEAR(groups);
    return groups;
}

static PyMethodDef reader_methods[] = {
    {"read", (PyCFunction)(void (*)(void))reader_read, METH_FASTCALL,
     "read(data, begin=0, at=0, past=0)\n--\n\n"
     "The shape, the values, what is kept as it is written and where the last of that ends; None where something is\n"
     "unusual."},
    {"recognise", (PyCFunction)(void (*)(void))reader_recognise, METH_FASTCALL,
     "recognise(data, begin=0, at=0, past=0)\n--\n\n"
     "The same with a number in place of the shape: one for the shape and all that is fixed in it."},
    {"read_lines", (PyCFunction)(void (*)(void))reader_read_lines, METH_FASTCALL,
     "read_lines(lines, begin, prefix)\n--\n\n"
     "The shapes of lines from one on, up to one that is unusual or does not begin like this. Of those of one shape\n"
     "that follow one another only the values of the last, and where they end."},
    {NULL},
};

static PyType_Slot reader_slots[] = {
    {Py_tp_new, reader_new},
    {Py_tp_dealloc, reader_free},
    {Py_tp_methods, reader_methods},
    {Py_tp_doc, "Reads JSON that is as a table says."},
    {0, NULL},
};

static PyType_Spec reader_spec = {"wirecheck.lane.compiled.Reader", sizeof(Reader), 0, Py_TPFLAGS_DEFAULT,
                                  reader_slots};

int read_ready(PyObject *module)
{
    reader_type = (PyTypeObject *)PyType_FromSpec(&reader_spec);
    return reader_type == NULL || PyModule_AddObjectRef(module, "Reader", (PyObject *)reader_type) < 0 ? -1 : 0;
}
