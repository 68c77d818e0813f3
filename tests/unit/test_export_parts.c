/* The parts of exports: numbers as text, and the figures of pyLDAvis against plain dense sums. */
#include "model_example.h"

#include "base/number_text.h"
#include "export/topic_distance.h"
#include "export/vis_terms.h"
#include "numeric/digamma.h"
#include "numeric/principal_axes.h"

#include <locale.h>

/* ---- numbers ---- */

static const char *real_text(double value, int digits)
{
    static char text[EZ_NUMBER_ROOM + 1];
    text[ez_put_real(text, value, digits)] = '\0';
    return text;
}

TEST(numbers_are_short_and_exact)
{
    CHECK_STR(real_text(0, EZ_ALL_DIGITS), "0.0");
    CHECK_STR(real_text(0.1, EZ_ALL_DIGITS), "0.1");
    CHECK_STR(real_text(-12.5, EZ_ALL_DIGITS), "-12.5");
    CHECK_STR(real_text(100, EZ_ALL_DIGITS), "100.0");
    CHECK_STR(real_text(0.0001, EZ_ALL_DIGITS), "0.0001");
    CHECK_STR(real_text(0.00001, EZ_ALL_DIGITS), "1e-05");
    CHECK_STR(real_text(1.5e-300, EZ_ALL_DIGITS), "1.5e-300");
    CHECK_STR(real_text(1e15, EZ_ALL_DIGITS), "1000000000000000.0");
    CHECK_STR(real_text(1e16, EZ_ALL_DIGITS), "1e+16");
    CHECK_STR(real_text(1.0 / 3, EZ_ALL_DIGITS), "0.3333333333333333");
    CHECK_STR(real_text(1.0 / 3, EZ_TABLE_DIGITS), "0.3333333333");
    CHECK_STR(real_text(0.99999999999, EZ_TABLE_DIGITS), "1.0");
    CHECK_STR(real_text(5e-324, EZ_ALL_DIGITS), "4.94065645841247e-324");
}

TEST(numbers_read_back_as_they_were)
{
    uint64_t state = 9;
    for (int i = 0; i < 20000; i++) {
        double value = ldexp((double)example_draw(&state, 1u << 31) +
                                 (double)example_draw(&state, 1u << 31) / 3e9,
                             (int)example_draw(&state, 200) - 130);
        CHECK(strtod(real_text(value, EZ_ALL_DIGITS), NULL) == value);
    }
}

static const char *share_text(double value)
{
    static char text[EZ_NUMBER_ROOM + 1];
    text[ez_put_share(text, value)] = '\0';
    return text;
}

/* Compares with printf: shares, and ten digits of reals. */
static void check_digits(double value)
{
    char expected[64], text[64];
    if (value <= 1) {
        snprintf(expected, sizeof expected, "%.7g", value);
        CHECK_STR(share_text(value), expected);
    }
    snprintf(expected, sizeof expected, "%.9e", value);
    snprintf(text, sizeof text, "%.9e", strtod(real_text(value, EZ_TABLE_DIGITS), NULL));
    CHECK_STR(text, expected);
}

TEST(few_digits_are_those_of_printf)
{
    uint64_t state = 5;
    for (int two = -45; two < 40; two++) /* ties of every digit are among them */
        for (uint64_t i = 1; i < 2048; i += 2)
            check_digits(ldexp((double)i, two - 11));
    for (int ten = -13; ten < 12; ten++) {
        double power = strtod((char[8]){'1', 'e', ten < 0 ? '-' : '+', (char)('0' + abs(ten) / 10),
                                        (char)('0' + abs(ten) % 10)},
                              NULL);
        check_digits(power);
        check_digits(nextafter(power, 0));
        check_digits(nextafter(power, 1e300));
        check_digits(power * 0.99999994999999);
        check_digits(power * 0.9999999995);
    }
    for (int i = 0; i < 100000; i++)
        check_digits(((double)example_draw(&state, 1u << 30) + 1) /
                     (double)(1 + example_draw(&state, 1u << 30)) / 1000);
    CHECK_STR(share_text(0), "0");
    CHECK_STR(share_text(1), "1");
    CHECK_STR(share_text(0.99999996), "1");
    CHECK_STR(share_text(0.0001), "0.0001");
    CHECK_STR(share_text(0.00009999999), "9.999999e-05");
    CHECK_STR(share_text(2e-7), "2e-07");
}

TEST(numbers_keep_their_point_in_any_locale)
{
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_NUMERIC, names[i]))
            CHECK_STR(real_text(0.15625, EZ_ALL_DIGITS), "0.15625");
    setlocale(LC_NUMERIC, "C");
}

TEST(digamma_has_its_known_values)
{
    CHECK_NEAR(ez_digamma(1), -0.57721566490153286, 1e-14);
    CHECK_NEAR(ez_digamma(0.01), -100.56088545786867, 1e-12);
    CHECK_NEAR(ez_digamma(10), 2.2517525890667211, 1e-14);
    CHECK_NEAR(ez_digamma(1e6), 13.815510057964191, 1e-13);
}

/* ---- topics ---- */

static double p_of(const example *e, uint32_t word, uint32_t topic)
{
    return (e->w[word][topic] + 0.01) / ((double)e->n[topic] + EXAMPLE_WORDS * 0.01);
}

TEST(divergence_is_the_dense_sum)
{
    ezlda_context *context = check_context();
    example *e = malloc(sizeof *e);
    double found[EXAMPLE_TOPICS * EXAMPLE_TOPICS];
    example_make(e, 3);
    ezlda_model *model = example_model(e);
    CHECK_OK(context, ez_topic_divergence(model, context, found));
    for (uint32_t a = 0; a < EXAMPLE_TOPICS; a++)
        for (uint32_t b = 0; b < EXAMPLE_TOPICS; b++) {
            double sum = 0;
            for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
                double p = p_of(e, v, a), q = p_of(e, v, b), m = (p + q) / 2;
                sum += (p * log(p / m) + q * log(q / m)) / 2;
            }
            CHECK_NEAR(found[a * EXAMPLE_TOPICS + b], sum, 1e-13);
        }
    ezlda_model_free(model);
    free(e);
}

static double away(const double *x, const double *y, size_t i, size_t j)
{
    return hypot(x[i] - x[j], y[i] - y[j]);
}

/* Points of a plane come back with their distances. */
static void check_plane(size_t n, const double *x, const double *y)
{
    double *distance = malloc(n * n * sizeof *distance), *u = malloc(n * sizeof *u),
           *v = malloc(n * sizeof *v);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            distance[i * n + j] = away(x, y, i, j);
    CHECK_OK(check_context(), ez_principal_axes(check_context(), distance, n, u, v));
    double along = 0, across = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            CHECK_NEAR(away(u, v, i, j), away(x, y, i, j), 1e-9);
        along += u[i] * u[i];
        across += v[i] * v[i];
    }
    CHECK(along >= across - 1e-9);
    free(distance);
    free(u);
    free(v);
}

TEST(axes_of_a_plane)
{
    double x[300], y[300];
    uint64_t state = 5;
    for (int i = 0; i < 300; i++) {
        x[i] = example_draw(&state, 1000) / 500.0;
        y[i] = example_draw(&state, 1000) / 1000.0;
    }
    check_plane(300, x, y);
    check_plane(3, x, y);
    check_plane(2, x, y);
    check_plane(1, x, y);
}

/* Two axes of the same extent, and points without any. */
TEST(axes_that_are_not_unique)
{
    const double square_x[] = {0, 1, 1, 0}, square_y[] = {0, 0, 1, 1}, none[5] = {0};
    check_plane(4, square_x, square_y);
    check_plane(5, none, none);
    double distance[36], x[6], y[6];
    for (int i = 0; i < 36; i++)
        distance[i] = i % 7 ? 1 : 0; /* six points, all one apart: five axes alike */
    CHECK_OK(check_context(), ez_principal_axes(check_context(), distance, 6, x, y));
    double along = 0, across = 0, both = 0;
    for (int i = 0; i < 6; i++) {
        along += x[i] * x[i];
        across += y[i] * y[i];
        both += x[i] * y[i];
    }
    CHECK_NEAR(along, 0.5, 1e-12);
    CHECK_NEAR(across, 0.5, 1e-12);
    CHECK_NEAR(both, 0, 1e-12);
}

/* ---- relevance ---- */

/* Expected tokens by topic and word, the plain way. */
typedef struct dense_vis {
    double topic[EXAMPLE_TOPICS], word[EXAMPLE_WORDS], all;
} dense_vis;

static void dense_make(dense_vis *dense, const example *e)
{
    memset(dense, 0, sizeof *dense);
    for (uint32_t d = 0; d < EXAMPLE_DOCS; d++) {
        double length = (double)(e->doc_start[d + 1] - e->doc_start[d]);
        for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++)
            dense->topic[k] += length * (e->d[d][k] + 0.125 * (k + 1)) / (length + 0.125 * 28);
    }
    for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++)
        for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
            dense->word[v] += p_of(e, v, k) * dense->topic[k];
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
        dense->all += dense->word[v];
}

/* How many words are more relevant for the topic. */
static uint32_t words_before(const dense_vis *dense, const example *e, uint32_t topic,
                             uint32_t word, double lambda)
{
    double score[EXAMPLE_WORDS];
    uint32_t before = 0;
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        double p = p_of(e, v, topic);
        score[v] = lambda * log(p) + (1 - lambda) * log(p / (dense->word[v] / dense->all));
    }
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
        before += score[v] > score[word] + 1e-9;
    return before;
}

static void check_topic(const ez_vis *vis, const dense_vis *dense, const example *e, uint32_t topic)
{
    const ez_vis_topic *found = &vis->topic[topic];
    bool here[EXAMPLE_WORDS] = {false};
    CHECK(found->n >= vis->words);
    for (uint32_t i = 0; i < found->n; i++) {
        uint32_t v = found->word[i], best = EXAMPLE_WORDS;
        here[v] = true;
        CHECK_NEAR(found->tokens[i], p_of(e, v, topic) * dense->topic[topic], 1e-9);
        CHECK_NEAR(found->log_lift[i], log(p_of(e, v, topic) / (dense->word[v] / dense->all)),
                   1e-12);
        for (int s = 0; s <= 100; s++) {
            uint32_t before = words_before(dense, e, topic, v, s / 100.0);
            best = before < best ? before : best;
        }
        CHECK(best < vis->words);
    }
    /* The first one for any lambda is there, unless another is as relevant. */
    for (int s = 0; s <= 100; s++) {
        uint32_t firsts = 0, there = 0;
        for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
            if (words_before(dense, e, topic, v, s / 100.0) == 0) {
                firsts++;
                there += here[v];
            }
        CHECK(there == (firsts < vis->words ? firsts : there) && there > 0);
    }
}

TEST(relevant_words_are_those_of_dense_tables)
{
    ezlda_context *context = check_context();
    example *e = malloc(sizeof *e);
    dense_vis dense;
    ez_vis vis;
    example_make(e, 8);
    dense_make(&dense, e);
    ezlda_model *model = example_model(e);
    CHECK_OK(context, ez_vis_make(&vis, context, model, 5, 0.01));
    for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++) {
        CHECK_NEAR(vis.topic_tokens[k], dense.topic[k], 1e-9);
        CHECK(k == 0 || vis.topic_share[vis.order[k]] <= vis.topic_share[vis.order[k - 1]]);
        check_topic(&vis, &dense, e, k);
    }
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
        CHECK_NEAR(vis.word_tokens[v], dense.word[v], 1e-9);
    ez_vis_free(&vis);
    ezlda_model_free(model);
    free(e);
}

/* ---- the call ---- */

TEST(export_checks_its_arguments)
{
    ezlda_context *context = check_context();
    example *e = malloc(sizeof *e);
    example_make(e, 1);
    ezlda_model *model = example_model(e);
    ezlda_corpus *corpus = example_corpus(e, 1);
    ezlda_export_options options;
    ezlda_export_options_init(&options);
    CHECK_FAILS(context, ezlda_model_export(context, model, "tgz", check_tmp("x"), NULL),
                "found 'tgz'");
    CHECK_FAILS(context, ezlda_model_export(context, model, NULL, check_tmp("x"), NULL),
                "expected mallet-state");
    CHECK_FAILS(context, ezlda_model_export(context, model, "npz", "", NULL), "a path");
    CHECK_FAILS(context, ezlda_model_export(context, NULL, "npz", check_tmp("x"), NULL), "a model");
    options.corpus = corpus; /* the example's model has another hash */
    CHECK_FAILS(context,
                ezlda_model_export(context, model, "mallet-state", check_tmp("x"), &options),
                "trained on");
    options.size = 3;
    CHECK_FAILS(context, ezlda_model_export(context, model, "npz", check_tmp("x"), &options),
                "options of 3 bytes");
    CHECK_OK(context, ezlda_model_export(context, model, "npz", check_tmp("y"), NULL));
    CHECK(access(check_tmp("x"), F_OK) != 0 && access(check_tmp("y"), F_OK) == 0);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    free(e);
}

TEST_MAIN()
