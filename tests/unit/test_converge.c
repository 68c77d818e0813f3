/* When a run ends by itself: the limits by the size of the corpus, and the rule of the held-out
 * score. */
#include "check.h"

#include "train/converge.h"
#include "train/iterations.h"

#include <string.h>

TEST(limits_follow_the_size)
{
    CHECK_EQ(ez_iterations_least(0), 1000);
    CHECK_EQ(ez_iterations_least(50000), 1000);
    CHECK_EQ(ez_iterations_least(1 << 20), 512);
    CHECK_EQ(ez_iterations_least((uint64_t)1 << 40), 200);
    CHECK_EQ(ez_iterations_most(1), 2000);
    CHECK_EQ(ez_iterations_most((uint64_t)1 << 25), 2000);
    CHECK_EQ(ez_iterations_most(((uint64_t)1 << 25) + 1), 1000);
    CHECK_EQ(ez_iterations_most(1000000000), 500);
    CHECK_EQ(ez_iterations_most((uint64_t)1 << 36), 300);
    for (uint64_t tokens = 1; tokens < (uint64_t)1 << 40; tokens *= 2)
        CHECK(ez_iterations_least(tokens) <= ez_iterations_most(tokens));
}

/* The checks of a run and its scores; the number of the one at which the run ends, or -1. */
static int ends_at(const double *score, int n, uint32_t least, char *why, size_t size)
{
    static const uint32_t iteration[] = {30, 40, 50, 60, 80, 100, 140, 180};
    ez_converge c = {0};
    for (int i = 0; i < n; i++)
        if (ez_converge_held_out(&c, iteration[i], score[i], least, why, size))
            return i;
    return -1;
}

TEST(a_doubling_must_gain_enough)
{
    static const double rising[] = {-12, -11, -10.5, -10.2, -10, -9.9, -9.85, -9.83};
    static const double settled[] = {-12, -11, -10.5, -10.2, -10.195, -10.193, -10.192, -10.191};
    char why[192] = "";
    CHECK_EQ(ends_at(rising, 8, 0, why, sizeof why), -1);
    CHECK_EQ(ends_at(settled, 8, 0, why, sizeof why), 5);
    CHECK(strstr(why, "converged after iteration 100") && strstr(why, "since iteration 60"));
    CHECK_EQ(ends_at(settled, 8, 141, why, sizeof why), 7);
}

/* A score that falls ends the run, too: more iterations do not help. */
TEST(a_falling_score_ends_the_run)
{
    static const double falling[] = {-10, -9.9, -9.95, -10.1};
    char why[192] = "";
    CHECK_EQ(ends_at(falling, 4, 0, why, sizeof why), 3);
    CHECK(strstr(why, "fell by 0.0 %"));
}

TEST_MAIN()
