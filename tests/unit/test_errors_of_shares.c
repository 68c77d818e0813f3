/* The mathematics behind errors: distributions against published values, least squares against
 * closed forms, gamma variables against their moments, splines and formulas. */
#include "check.h"

#include "effect/bursts.h"
#include "effect/formula.h"
#include "effect/regression.h"
#include "effect/spline.h"
#include "numeric/distributions.h"
#include "numeric/draws.h"
#include "numeric/least_squares.h"

TEST(distributions_have_published_values)
{
    CHECK_NEAR(ez_log_gamma(0.5), 0.5723649429247001, 1e-13);
    CHECK_NEAR(ez_log_gamma(101), 363.73937555556347, 1e-10);
    CHECK_NEAR(ez_log_gamma(0.01), 4.599479878042022, 1e-12);
    CHECK_NEAR(ez_beta_below(0.3, 2, 5), 0.579825, 1e-12);
    CHECK_NEAR(ez_beta_below(0.5, 0.05, 0.05), 0.5, 1e-12);
    CHECK_NEAR(ez_beta_below(0.001, 0.05, 40), 0.8723822385634824, 1e-12);
    CHECK_NEAR(ez_t_tails(2.228138852, 10), 0.05, 1e-9);
    CHECK_NEAR(ez_t_tails(1.959963985, 1e9), 0.05, 3e-6);
    CHECK_NEAR(ez_t_quantile(0.9, 5), 2.015048373, 1e-8);
    CHECK_NEAR(ez_t_quantile(0.9, 1e9), 1.644853627, 3e-6);
}

TEST(gamma_variables_have_their_moments)
{
    static const double shapes[] = {0.02, 0.3, 1, 4.5, 200};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        enum { N = 200000 };
        double sum = 0, square = 0, a = shapes[s];
        uint64_t i = 0;
        for (int n = 0; n < N; n++) {
            double x = ez_gamma(ez_stream_key(7, s, 0), &i, a);
            sum += x;
            square += x * x;
        }
        CHECK_NEAR(sum / N, a, 5 * sqrt(a / N));
        CHECK_NEAR(square / N - sum / N * (sum / N), a, 5 * sqrt((2 * a * a + 6 * a) / N));
    }
}

TEST(least_squares_solve_and_find_dependent_columns)
{
    /* x: 1..5 and 2 * x + 1 (dependent once centred) and x * x, centred products. */
    double a[9] = {0}, b[3], inverse[9];
    bool depends[3];
    static const double x[5] = {1, 2, 3, 4, 5}, y[5] = {2, 3, 5, 4, 6};
    double cross[3] = {0};
    for (int i = 0; i < 5; i++) {
        double row[3] = {x[i] - 3, 2 * x[i] - 6, x[i] * x[i] - 11};
        for (int j = 0; j < 3; j++) {
            cross[j] += row[j] * (y[i] - 4);
            for (int k = 0; k < 3; k++)
                a[j * 3 + k] += row[j] * row[k];
        }
    }
    memcpy(b, cross, sizeof b);
    CHECK_EQ(ez_cholesky(a, 3, depends), 2);
    CHECK(!depends[0] && depends[1] && !depends[2]);
    ez_cholesky_solve(a, 3, depends, b);
    ez_cholesky_inverse(a, 3, depends, inverse);
    CHECK_NEAR(b[0], 1.3285714285714, 1e-10); /* numpy.polyfit(x, y, 2): -0.0714285714, 1.328571 */
    CHECK_NEAR(b[1], 0, 0);
    CHECK_NEAR(b[2], -0.0714285714286, 1e-10);
    CHECK_NEAR(inverse[8], 1 / 14.0, 1e-10);
    CHECK_NEAR(inverse[4], 0, 0);
}

TEST(splines_are_those_of_r)
{
    /* bs(1:10, df = 5) at 3, which is BSpline.design_matrix of SciPy with knots 4 and 7. */
    static const double expected[5] = {0.51851852, 0.39506173, 0.04938272, 0, 0};
    double x[10], sum[5] = {0}, value[4];
    uint32_t column[4];
    ez_spline spline;
    for (int i = 0; i < 10; i++)
        x[i] = i + 1;
    CHECK_OK(check_context(), ez_spline_fit(&spline, check_context(), x, 10, 5));
    CHECK_EQ(spline.columns, 5);
    uint32_t n = ez_spline_at(&spline, 3, column, value);
    for (uint32_t i = 0; i < n; i++)
        sum[column[i]] = value[i];
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(sum[i], expected[i], 1e-8);
    CHECK_EQ(ez_spline_at(&spline, 1, column, value), 0);
    n = ez_spline_at(&spline, 10, column, value);
    CHECK_EQ(n, 1);
    CHECK_EQ(column[0], 4);
    CHECK_NEAR(value[0], 1, 1e-12);
    CHECK_OK(check_context(), ez_spline_fit(&spline, check_context(), (double[]){1, 2, 1}, 3, 0));
    CHECK_EQ(spline.columns, 1);
    CHECK_FAILS(check_context(), ez_spline_fit(&spline, check_context(), (double[]){1, 1}, 2, 0),
                "two different values");
}

static void accept_formula(const char *text, uint32_t variables, uint32_t terms)
{
    ez_formula f;
    CHECK_OK(check_context(), ez_formula_read(&f, check_context(), text));
    CHECK_EQ(f.variables, variables);
    CHECK_EQ(f.terms, terms);
    ez_formula_free(&f);
}

static void refuse(const char *text, const char *message)
{
    ez_formula f;
    ez_clear(check_context());
    CHECK_FAILS(check_context(), ez_formula_read(&f, check_context(), text), message);
    ez_formula_free(&f);
}

TEST(formulas_are_read)
{
    accept_formula("share ~ s(year) + party", 2, 2);
    accept_formula("a*b", 2, 3);
    accept_formula("~ a*b*c + a:b", 3, 7);
    accept_formula("a:b + b:a", 2, 1);
    accept_formula("`my field` + s(x, df = 5) + s(x,5) + factor(x)", 3, 3);
    accept_formula("meta.date + tags[0].name + Größe", 3, 3);
    refuse("share ~", "the name of a field, found its end");
    refuse("share ~ a +", "found its end");
    refuse("a b", "character 3");
    refuse("log(a)", "s(field)");
    refuse("s(a, 0)", "from 1 to 50");
    refuse("s(a", "',' or ')'");
    refuse("y ~ a", "share ~");
    refuse("a*b*c*d", "three factors");
    refuse("`a", "closing backquote");
}

TEST(bursts_are_raised_shares_that_last)
{
    static const double share[] = {.1, .1, .3, .32, .3, .1, .1, NAN, .1, .21, .1, .1};
    double error[12];
    uint64_t docs[12];
    ez_buffer found = {0};
    for (int i = 0; i < 12; i++)
        error[i] = 0.03, docs[i] = 100;
    CHECK_OK(check_context(), ez_bursts_find(&found, check_context(), 5, share, error, docs, 12));
    CHECK_EQ(found.used, sizeof(ezlda_burst));
    ezlda_burst burst;
    memcpy(&burst, found.data, sizeof burst);
    CHECK(burst.topic == 5 && burst.first == 2 && burst.last == 4 && burst.weight > 3);
    found.used = 0;
    static const double after_gap[] = {.1, .1, NAN, NAN, .3, .32, .3, NAN, .1, .1, .1, .1};
    CHECK_OK(check_context(),
             ez_bursts_find(&found, check_context(), 5, after_gap, error, docs, 12));
    CHECK_EQ(found.used, sizeof(ezlda_burst));
    memcpy(&burst, found.data, sizeof burst);
    CHECK_EQ(burst.first, 4);
    CHECK_EQ(burst.last, 6);
    found.used = 0;
    for (int i = 0; i < 12; i++)
        error[i] = 0.3; /* nothing is sure */
    CHECK_OK(check_context(), ez_bursts_find(&found, check_context(), 5, share, error, docs, 12));
    CHECK_EQ(found.used, 0);
    ez_free(found.data);
}

/* The p-value of the first term of a design of orthogonal columns: three samples of its
 * coefficient, each with the variance 1. */
static double test_of(uint32_t columns, uint64_t docs, const double *value)
{
    double inverse[4] = {1, 0, 0, 1}, residual[3] = {1, 1, 1}, unsure[3] = {0}, b[9] = {0};
    if (columns == 1)
        inverse[1] = inverse[2] = inverse[3] = 0;
    static ez_design design;
    design = (ez_design){.columns = columns, .used = docs, .inverse = inverse};
    design.term_of[1] = 1;
    for (size_t s = 0; s < 3; s++)
        b[s * (columns + 1) + 1] = value[s];
    ez_regression r = {.design = &design,
                       .topics = 1,
                       .columns = columns + 1,
                       .samples = 3,
                       .kept = 3,
                       .residual = residual,
                       .unsure = unsure,
                       .coefficient = b};
    return ez_regression_test(&r, 0, 0);
}

TEST(terms_are_tested_with_the_degrees_of_li_raghunathan_and_rubin)
{
    /* 2 degrees between the samples, ratio 4/3: F = 4 / (7/3), 2 * (1 + 3/4)^2 degrees. */
    static const double apart[3] = {1, 2, 3}, same[3] = {2, 2, 2};
    CHECK_NEAR(test_of(1, 1000, apart), ez_t_tails(sqrt(12.0 / 7), 6.125), 1e-12);
    /* No more degrees than documents leave: the intercept and all columns take one each. */
    CHECK_NEAR(test_of(1, 10, same), ez_t_tails(2, 8), 1e-12);
    CHECK_NEAR(test_of(2, 10, same), ez_t_tails(2, 7), 1e-12);
}

TEST_MAIN()
