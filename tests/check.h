/* check.h - a small frame for unit tests in C.
 *
 *     #include "check.h"
 *     TEST(adds_up) { CHECK_EQ(1 + 1, 2); }
 *     TEST_MAIN()
 *
 * A failed check marks its test as failed and continues, so that one run shows all that is wrong.
 * Each test prints a line "ok NAME" or "FAIL NAME"; the last line is "check: P passed, F failed".
 * `test_x FILTER` runs the tests whose name holds FILTER, `test_x --list` names them. What
 * check_tmp and check_context gave is cleared away after each test.
 */
#ifndef CHECK_H
#define CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ezlda.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct check_test {
    const char *name;
    void (*run)(void);
    struct check_test *next;
} check_test;

typedef struct check_path {
    struct check_path *next;
    char text[];
} check_path;

static struct {
    check_test *first, **last;
    int failures;      /* failed checks of the running test */
    char folder[256];  /* temporary folder of the running test; "" before the first check_tmp */
    check_path *paths; /* what check_tmp gave */
    ezlda_context *context;
} check_state;

__attribute__((unused)) static void check_register(check_test *test)
{
    if (!check_state.last)
        check_state.last = &check_state.first;
    *check_state.last = test;
    check_state.last = &test->next;
}

#define TEST(name)                                                       \
    static void check_run_##name(void);                                  \
    __attribute__((constructor)) static void check_register_##name(void) \
    {                                                                    \
        static check_test test = {#name, check_run_##name, NULL};        \
        check_register(&test);                                           \
    }                                                                    \
    static void check_run_##name(void)

/* ---- checks ---- */

#define CHECK_FAIL(...)                          \
    do {                                         \
        check_state.failures++;                  \
        printf("  %s:%d: ", __FILE__, __LINE__); \
        printf(__VA_ARGS__);                     \
        printf("\n");                            \
    } while (0)

#define CHECK(condition)                            \
    do {                                            \
        if (!(condition))                           \
            CHECK_FAIL("%s is not so", #condition); \
    } while (0)

/* Integers of any type, compared as 64 bits. */
#define CHECK_EQ(actual, expected)                                                            \
    do {                                                                                      \
        long long check_a_ = (long long)(actual), check_b_ = (long long)(expected);           \
        if (check_a_ != check_b_)                                                             \
            CHECK_FAIL("%s is %lld (0x%llx), expected %s = %lld (0x%llx)", #actual, check_a_, \
                       (unsigned long long)check_a_, #expected, check_b_,                     \
                       (unsigned long long)check_b_);                                         \
    } while (0)

/* Floating point, at most `tolerance` apart; a NaN is never near. */
#define CHECK_NEAR(actual, expected, tolerance)                                                    \
    do {                                                                                           \
        double check_a_ = (double)(actual), check_b_ = (double)(expected);                         \
        if (!(fabs(check_a_ - check_b_) <= (double)(tolerance)))                                   \
            CHECK_FAIL("%s is %.17g, expected %s = %.17g within %g", #actual, check_a_, #expected, \
                       check_b_, (double)(tolerance));                                             \
    } while (0)

/* Strings; NULL equals only NULL. */
#define CHECK_STR(actual, expected)                                                              \
    do {                                                                                         \
        const char *check_a_ = (actual), *check_b_ = (expected);                                 \
        if (check_a_ != check_b_ && (!check_a_ || !check_b_ || strcmp(check_a_, check_b_) != 0)) \
            CHECK_FAIL("%s is \"%s\", expected \"%s\"", #actual, check_a_ ? check_a_ : "(NULL)", \
                       check_b_ ? check_b_ : "(NULL)");                                          \
    } while (0)

/* A call that returns EZLDA_OK. */
#define CHECK_OK(ctx, call)                                              \
    do {                                                                 \
        ezlda_status check_s_ = (call);                                  \
        if (check_s_ != EZLDA_OK)                                        \
            CHECK_FAIL("%s: %s: %s", #call, ezlda_status_name(check_s_), \
                       ezlda_error_message(ctx));                        \
    } while (0)

/* A call that fails, with `substring` in its message. */
#define CHECK_FAILS(ctx, call, substring)                                                          \
    do {                                                                                           \
        ezlda_status check_s_ = (call);                                                            \
        const char *check_m_ = ezlda_error_message(ctx), *check_w_ = (substring);                  \
        if (check_s_ == EZLDA_OK)                                                                  \
            CHECK_FAIL("%s succeeded, expected a failure with \"%s\"", #call, check_w_);           \
        else if (!strstr(check_m_, check_w_))                                                      \
            CHECK_FAIL("%s failed with \"%s\", expected \"%s\" in it", #call, check_m_, check_w_); \
    } while (0)

/* ---- what a test may need ---- */

/* The device under test, as given to the runner; "cpu" otherwise. */
__attribute__((unused)) static const char *check_device(void)
{
    const char *device = getenv("EZLDA_TEST_DEVICE");
    return device && *device ? device : "cpu";
}

/* A context of the running test; the same one at each call. */
__attribute__((unused)) static ezlda_context *check_context(void)
{
    if (!check_state.context && ezlda_context_create(&check_state.context) != EZLDA_OK)
        abort();
    return check_state.context;
}

/* The path of `name` in a fresh temporary folder of the running test. The string lives until the
 * test ends. */
__attribute__((unused)) static const char *check_tmp(const char *name)
{
    if (!check_state.folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(check_state.folder, sizeof check_state.folder, "%s/ezlda-check-XXXXXX",
                 base && *base ? base : "/tmp");
        if (!mkdtemp(check_state.folder)) {
            perror(check_state.folder);
            abort();
        }
    }
    size_t n = strlen(check_state.folder) + strlen(name) + 2;
    check_path *path = malloc(sizeof *path + n);
    if (!path)
        abort();
    path->next = check_state.paths;
    check_state.paths = path;
    snprintf(path->text, n, "%s/%s", check_state.folder, name);
    return path->text;
}

/* ---- running ---- */

__attribute__((unused)) static int check_remove(const char *path, const struct stat *s, int kind,
                                                struct FTW *walk)
{
    (void)s;
    (void)kind;
    (void)walk;
    return remove(path);
}

__attribute__((unused)) static void check_clear(void)
{
    ezlda_context_free(check_state.context);
    check_state.context = NULL;
    while (check_state.paths) {
        check_path *path = check_state.paths;
        check_state.paths = path->next;
        free(path);
    }
    if (check_state.folder[0])
        nftw(check_state.folder, check_remove, 16, FTW_DEPTH | FTW_PHYS);
    check_state.folder[0] = '\0';
}

__attribute__((unused)) static int check_main(int argc, char **argv)
{
    const char *filter = argc > 1 ? argv[1] : "";
    int list = strcmp(filter, "--list") == 0;
    int passed = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (check_test *test = check_state.first; test; test = test->next) {
        if (list) {
            printf("%s\n", test->name);
            continue;
        }
        if (!strstr(test->name, filter))
            continue;
        check_state.failures = 0;
        test->run();
        check_clear();
        printf("%s %s\n", check_state.failures ? "FAIL" : "ok", test->name);
        check_state.failures ? failed++ : passed++;
    }
    if (list)
        return 0;
    printf("check: %d passed, %d failed\n", passed, failed);
    return failed || passed == 0;
}

#define TEST_MAIN()                    \
    int main(int argc, char **argv)    \
    {                                  \
        return check_main(argc, argv); \
    }

#endif
