/* Runs R code in the callbacks of the library, and asks R whether the user interrupted. R code that
 * fails or is interrupted does not jump over the library: R_ToplevelExec and R_tryEval end it. */
#include "r_ezlda.h"

#include <time.h>

static const double CHECK_EVERY = 0.05; /* seconds */

double r_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

SEXP r_watch_open(r_watch *watch, SEXP function, int n, double interval)
{
    *watch = (r_watch){.interval = interval, .checked = r_seconds()};
    if (function == R_NilValue)
        return R_NilValue;
    SEXP figures = PROTECT(Rf_allocVector(REALSXP, n));
    watch->call = Rf_lang2(function, figures);
    watch->figures = REAL(figures);
    UNPROTECT(1);
    return watch->call;
}

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

bool r_watch_interrupted(r_watch *watch)
{
    double now = r_seconds();
    if (!watch->interrupted && now - watch->checked >= CHECK_EVERY) {
        watch->checked = now;
        watch->interrupted = !R_ToplevelExec(check_interrupt, NULL);
    }
    return watch->interrupted;
}

bool r_watch_due(const r_watch *watch)
{
    return watch->call && r_seconds() - watch->last >= watch->interval;
}

bool r_watch_stops(r_watch *watch)
{
    int failed = 0;
    SEXP answer = R_tryEvalSilent(watch->call, R_GlobalEnv, &failed);
    watch->last = r_seconds();
    if (failed) /* the function catches conditions: only an interrupt outside it is left */
        watch->interrupted = true;
    return failed || Rf_asLogical(answer) == TRUE;
}
