/* UTF-8, strictly: no overlong forms, no surrogates, nothing over U+10FFFF. */
#ifndef EZ_UTF8_H
#define EZ_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Offset of the first byte that is not UTF-8 or is NUL; n where all is well. */
size_t ez_utf8_check(const char *text, size_t n);

/* Bytes of the byte order mark that a text opens with: 3, or 0 where there is none. */
size_t ez_byte_order_mark(const char *text, size_t n);

/* Code point at a place in checked UTF-8; *length: its bytes. */
uint32_t ez_utf8_decode(const char *at, size_t *length);

/* Writes a code point, 1 to 4 bytes; returns how many. */
size_t ez_utf8_encode(uint32_t code, char *to);

#endif
