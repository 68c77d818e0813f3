/* How fast a device trains: short trainings on a synthetic corpus. */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include "ezlda.h"

#include <stdbool.h>
#include <stddef.h>

/* The standard corpus but for its size, which is that of `tokens` divided by the mean length of a
 * document. */
enum { BENCH_WORDS = 30000, BENCH_LENGTH = 100, BENCH_TOPICS = 300 };

/* Iterations before speed is taken, at least, and that are taken at least; iterations of a case at
 * most. */
enum { BENCH_WARM_UP = 3, BENCH_TAKEN = 3, BENCH_MOST = 250 };

typedef struct bench_case {
    const char *device; /* as a training takes it */
    uint32_t topics;
    uint64_t tokens;
    uint32_t iterations, warm_up; /* done, and how many of them do not count */
    double seconds;               /* an iteration: median of those that count */
    double least, most;           /* ... and their range */
    double skipped;               /* share of tokens, in the last iteration */
    uint64_t memory_bytes;        /* of a GPU; 0 on the CPU */
    char error[512];              /* why there are no figures; "" where there are */
} bench_case;

ezlda_status bench_corpus(ezlda_corpus **out, ezlda_context *context, uint64_t tokens);

/* Fills in all but device and topics. Trains for about so many seconds, or until stop says so; what
 * fails is told by `error` too. */
ezlda_status bench_measure(bench_case *c, ezlda_context *context, const ezlda_corpus *corpus,
                           double seconds, bool (*stop)(void));

/* Tokens a second. */
double bench_rate(const bench_case *c, double seconds);

#endif
