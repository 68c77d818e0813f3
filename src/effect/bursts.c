/* Finds the cheapest sequence of states: the usual share, or a burst (Kleinberg 2002). */
#include "effect/bursts.h"

#include "numeric/portable_math.h"

#include <math.h>

/* The cost of a share in a period, as that of a binomial with n tokens of which r are the topic's,
 * without the binomial coefficient, which is the same for both states. */
static double cost(double rate, double n, double r)
{
    return -(r * ez_portable_log(rate) + (n - r) * ez_portable_log(1 - rate));
}

ezlda_status ez_bursts_find(ez_buffer *bursts, ezlda_context *context, uint32_t topic,
                            const double *share, const double *error, const uint64_t *docs,
                            uint32_t n)
{
    double usual = 0, all = 0, best[2] = {0, INFINITY};
    double *size = NULL;
    uint8_t *from = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(ez_array(&size, context, n, sizeof *size, "periods"));
    EZ_TRY_GOTO(ez_array(&from, context, n, 2, "periods"));
    for (uint32_t i = 0; i < n; i++) {
        bool empty = isnan(share[i]);
        usual += empty ? 0 : (share[i] > 0 ? share[i] : 0) * (double)docs[i];
        all += empty ? 0 : (double)docs[i];
    }
    usual = all > 0 ? usual / all : 0;
    for (uint32_t i = 0; i < n; i++)
        size[i] =
            isnan(share[i]) || !(error[i] > 0) ? 0 : usual * (1 - usual) / (error[i] * error[i]);
    double raised = EZ_BURST_RATE * usual, begin = ez_portable_log((double)n);
    if (!(usual > 0) || raised >= 0.999)
        goto done;
    for (uint32_t i = 0; i < n; i++) {
        double p = size[i] > 0 ? (share[i] > 0 ? share[i] : 0) : 0, r = size[i] * p;
        double now[2] = {cost(usual, size[i], r), cost(raised, size[i], r)};
        double up = best[0] + begin;
        from[2 * (size_t)i] = best[1] < best[0];
        from[2 * (size_t)i + 1] =
            best[1] < up; /* a burst does not begin in periods without documents */
        double calm = (from[2 * (size_t)i] ? best[1] : best[0]) + now[0];
        best[1] = (from[2 * (size_t)i + 1] ? best[1] : up) + now[1];
        best[0] = calm;
    }
    int state = best[1] < best[0];
    ezlda_burst burst = {.topic = topic, .weight = 0};
    size_t before = bursts->used;
    for (uint32_t i = n; i-- > 0; state = from[2 * (size_t)i + (size_t)state]) {
        double p = size[i] > 0 ? (share[i] > 0 ? share[i] : 0) : 0;
        int earlier = i > 0 ? from[2 * i + (uint32_t)state] : 0;
        if (!state)
            continue;
        if (!(burst.weight > 0 || burst.weight < 0))
            burst.last = i;
        burst.weight += cost(usual, size[i], size[i] * p) - cost(raised, size[i], size[i] * p);
        if (earlier)
            continue;
        burst.first = i;
        EZ_TRY_GOTO(ez_buffer_append(bursts, context, &burst, sizeof burst));
        burst.weight = 0;
    }
    /* They were found from the last to the first. */
    size_t many = (bursts->used - before) / sizeof burst;
    ezlda_burst *found = many ? (ezlda_burst *)(void *)(bursts->data + before) : NULL;
    for (size_t i = 0; i < many / 2; i++) {
        ezlda_burst other = found[i];
        found[i] = found[many - 1 - i];
        found[many - 1 - i] = other;
    }
done:
    ez_free(size);
    ez_free(from);
    return status;
}
