/* A short run and its outcome, for tests that compare backends. */
#ifndef BACKEND_OUTCOME_H
#define BACKEND_OUTCOME_H

#include "random_tokens.h"

typedef struct outcome {
    uint64_t hash;
    int64_t score;
    uint64_t moved, undecided; /* over all iterations */
} outcome;

static inline uint64_t hash_topics(const uint16_t *topic, uint64_t n)
{
    uint64_t hash = n;
    for (uint64_t i = 0; i < n; i++)
        hash = ez_mix(hash + topic[i] + 1);
    return hash;
}

static inline outcome train(const ez_backend_ops *ops, ez_token_list *tokens,
                            const ez_settings *settings, int threads, uint32_t iterations)
{
    ezlda_context *context = check_context();
    ez_backend *backend = NULL;
    ez_iteration done;
    outcome out = {0};
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ops->create(&backend, context, tokens, settings, NULL));
    if (!backend)
        return out;
    uint16_t *topic = calloc(tokens->tokens + 1, sizeof *topic);
    CHECK_OK(context, ops->start(backend, context));
    for (uint32_t i = 1; i <= iterations; i++) {
        CHECK_OK(context, ops->iterate(backend, context, i, &done));
        out.moved += done.moved;
        out.undecided += done.undecided;
    }
    CHECK_OK(context, ops->score(backend, context, &out.score));
    CHECK_OK(context, ops->topics(backend, context, topic));
    out.hash = hash_topics(topic, tokens->tokens);
    ops->free(backend);
    free(topic);
    return out;
}

static const char *const instruction_sets[] = {
#if defined(__x86_64__)
    "plain",
    "avx2",
    "avx512",
#elif defined(__aarch64__)
    "plain",
    "neon",
#else
    "plain",
#endif
};
enum { SETS = sizeof instruction_sets / sizeof *instruction_sets };

/* Only the CPU has instruction sets: other devices run each case once. */
static inline bool runs_here(const char *set)
{
    if (strcmp(device_under_test(), "cpu") != 0)
        return strcmp(set, "plain") == 0;
#if defined(__x86_64__)
    if (strcmp(set, "avx2") == 0)
        return __builtin_cpu_supports("avx2");
    if (strcmp(set, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512cd");
#endif
    return set != NULL;
}

/* A device that is slow because it is emulated runs a subset of the cases. */
static inline bool brief(void)
{
    return getenv("EZLDA_TEST_BRIEF") != NULL;
}

/* Early decisions against those that exact bounds allow, of as many tokens as were drawn. The CPU's
 * bounds are exact if g is given; those of a GPU have a margin, into which a few tokens fall. */
static inline void check_decisions(const outcome *got, const outcome *expected, uint64_t drawn)
{
    uint64_t margin = strcmp(device_under_test(), "cpu") == 0 ? 0 : drawn / 1000 + 2;
    if (got->undecided < expected->undecided || got->undecided > expected->undecided + margin)
        CHECK_FAIL("%llu of %llu tokens are undecided, expected %llu and up to %llu more",
                   (unsigned long long)got->undecided, (unsigned long long)drawn,
                   (unsigned long long)expected->undecided, (unsigned long long)margin);
}

#endif
