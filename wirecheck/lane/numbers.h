/* Numbers in place of things: two that are alike have the same, and nobody outside of the process can make others that
   have. */

#ifndef WIRECHECK_NUMBERS_H
#define WIRECHECK_NUMBERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

extern uint64_t seed, factor; /* others in each process */

/* A number for what came before and for one word more. As nobody knows the factor, nobody can make two that are
   alike. */
static inline uint64_t mix(uint64_t number, uint64_t word)
{
    uint64_t one = number ^ word, other = factor;
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)one * other;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t low = (one & 0xFFFFFFFF) * (other & 0xFFFFFFFF), high = (one >> 32) * (other >> 32);
    uint64_t left = (one >> 32) * (other & 0xFFFFFFFF), right = (one & 0xFFFFFFFF) * (other >> 32);
    uint64_t middle = (low >> 32) + (left & 0xFFFFFFFF) + (right & 0xFFFFFFFF);
    return ((low & 0xFFFFFFFF) | middle << 32) ^ (high + (left >> 32) + (right >> 32) + (middle >> 32));
#endif
}

static inline uint64_t mixed(uint64_t number, const char *p, Py_ssize_t length)
{
    uint64_t word;
    number = mix(number, (uint64_t)length + seed);
    for (; length > 8; p += 8, length -= 8) {
        memcpy(&word, p, 8);
        number = mix(number, word);
    }
    word = 0;
    memcpy(&word, p, length);
    return mix(number, word);
}

#endif
