/* The calls of iconv for Windows, whose C library has none. release/libraries.sh compiles them from musl's source. */
#ifndef ICONV_H
#define ICONV_H

#include <stddef.h>

typedef void *iconv_t;

iconv_t iconv_open(const char *to, const char *from);
size_t iconv(iconv_t conversion, char **restrict in, size_t *restrict in_left, char **restrict out,
             size_t *restrict out_left);
int iconv_close(iconv_t conversion);

#endif
