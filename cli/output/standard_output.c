#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "output/standard_output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static int failed_with; /* errno of the first write that failed */

/* To the stream that stdout was, which has no buffer. */
static ssize_t pass_on(void *cookie, const char *bytes, size_t n)
{
    size_t done = fwrite(bytes, 1, n, cookie);
    if (done < n && !failed_with)
        failed_with = errno;
    return done < n ? 0 : (ssize_t)n;
}

void standard_output_begin(void)
{
#ifdef __GLIBC__ /* where stdout may be assigned to */
    FILE *outer = fopencookie(stdout, "w", (cookie_io_functions_t){.write = pass_on});
    if (!outer)
        return;
    setvbuf(outer, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    setvbuf(stdout, NULL, _IONBF, 0);
    stdout = outer;
#endif
}

/* The stream stays, for messages that come after it flush it. */
int standard_output_end(void)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    failed |= fflush(stdout) != 0;
    failed |= close(STDOUT_FILENO) != 0;
    if (failed && !failed_with)
        failed_with = errno ? errno : EIO;
    return failed_with;
}
