/* Measures how fast a device trains, with short runs on a synthetic corpus. */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include "ezlda.h"

#include <stdbool.h>
#include <stddef.h>

/* The standard corpus; its number of documents is `tokens` divided by their mean length. */
enum { BENCH_WORDS = 30000, BENCH_LENGTH = 100, BENCH_TOPICS = 300 };

/* Least number of iterations that warm up, least number that count, most iterations in all. */
enum { BENCH_WARM_UP = 3, BENCH_COUNTED = 3, BENCH_MOST = 250 };

typedef struct bench_case {
    const char *device; /* a value of --device */
    uint32_t topics;
    uint64_t tokens;
    uint32_t iterations, warm_up; /* all iterations, and how many of them are not measured */
    double seconds;               /* per iteration: median of those that count */
    double least, most;           /* range of the seconds per iteration */
    double skipped;               /* share of tokens decided early in the last iteration */
    uint64_t memory_bytes;        /* peak of device memory; 0 on the CPU */
    char error[512];              /* why there are no figures; "" if there are */
} bench_case;

ezlda_status bench_corpus(ezlda_corpus **out, ezlda_context *context, uint64_t tokens);

/* Trains for about `seconds`, or until `stop` returns true, and fills in all but device and topics.
 * A failure is returned and described in `error`. */
ezlda_status bench_measure(bench_case *c, ezlda_context *context, const ezlda_corpus *corpus,
                           double seconds, bool (*stop)(void));

/* Tokens per second, for a time per iteration. */
double bench_rate(const bench_case *c, double seconds);

#endif
