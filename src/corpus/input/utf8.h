/* UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef EZ_UTF8_H
#define EZ_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Offset of the first byte that is NUL or not UTF-8; n if there is none. */
size_t ez_utf8_check(const char *text, size_t n);

/* Length of the byte order mark at the start of a text: 3 or 0. */
size_t ez_byte_order_mark(const char *text, size_t n);

/* The code point at `at` in checked UTF-8; *length: its bytes. */
uint32_t ez_utf8_decode(const char *at, size_t *length);

/* Writes a code point as 1 to 4 bytes and returns how many. */
size_t ez_utf8_encode(uint32_t code, char *to);

#endif
