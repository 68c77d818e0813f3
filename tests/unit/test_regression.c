/* The regression in a chain: its coefficients are those of least squares on the shares of the
 * present state, its errors follow Rubin's rules, and the prior of a document is its prediction. */
#include "check.h"

#include "effect/regression.h"
#include "model_of_simulation.h"

enum { COLUMNS = 4 };

static const sim_shape shape = {64, 40, 20, 3, 0.5, 0.2};

/* x: 0, 1, ..., with gaps; g: three groups, some missing. */
static ezlda_corpus *with_fields(const ezlda_corpus *corpus, uint32_t docs)
{
    static const char *const fields[] = {"x", "g"};
    static char text[SIM_DOCS][16];
    const char *values[2 * SIM_DOCS];
    ezlda_corpus *out = NULL;
    for (uint32_t d = 0; d < docs; d++) {
        snprintf(text[d], sizeof text[d], "%s%u.5", d % 3 ? "" : "-", d * d % 17);
        values[d] = text[d];
        values[docs + d] = d % 11 == 3 ? "NA" : d % 4 == 0 ? "b" : d % 4 == 1 ? "c" : "a";
    }
    CHECK_OK(check_context(),
             ezlda_corpus_with_fields(&out, check_context(), corpus, fields, 2, values));
    return out;
}

static double x_of(uint32_t d)
{
    double x = d * d % 17 + 0.5;
    return d % 3 ? x : -x;
}

typedef struct shares {
    const ez_regression *r;
    double share[SIM_DOCS][SIM_TOPICS], unsure[SIM_TOPICS];
} shares;

/* The posterior mean of the shares given the topics of the tokens. */
static void take_shares(void *user, uint32_t span, const ez_chain_doc *doc)
{
    shares *s = user;
    double alpha[SIM_TOPICS], all = (double)doc->tokens;
    (void)span;
    ez_regression_prior(s->r, doc->doc, alpha);
    for (uint32_t k = 0; k < shape.topics; k++)
        all += alpha[k];
    for (uint32_t k = 0; k < shape.topics; k++) {
        double share = (doc->by_topic[k] + alpha[k]) / all;
        s->share[doc->doc][k] = share;
        if (s->r->design->use[doc->doc])
            s->unsure[k] += share * (1 - share) / (all + 1) / (double)s->r->design->used;
    }
}

/* The normal equations of 1, x, g=b, g=c: the matrix, its inverse and the products with a share,
 * reduced by Gauss and Jordan. */
static void solve(const shares *s, uint32_t topic, double a[COLUMNS][2 * COLUMNS + 1])
{
    memset(a, 0, COLUMNS * sizeof *a);
    for (uint32_t d = 0; d < shape.docs; d++) {
        double row[COLUMNS] = {1, x_of(d), d % 4 == 0, d % 4 == 1};
        for (int i = 0; i < COLUMNS && d % 11 != 3; i++) {
            for (int j = 0; j < COLUMNS; j++)
                a[i][j] += row[i] * row[j];
            a[i][2 * COLUMNS] += row[i] * s->share[d][topic];
        }
    }
    for (int i = 0; i < COLUMNS; i++)
        a[i][COLUMNS + i] = 1;
    for (int i = 0; i < COLUMNS; i++) {
        double pivot = a[i][i];
        for (int j = 0; j <= 2 * COLUMNS; j++)
            a[i][j] /= pivot;
        for (int r = 0; r < COLUMNS; r++) {
            double factor = a[r][i];
            for (int j = 0; j <= 2 * COLUMNS && r != i; j++)
                a[r][j] -= factor * a[i][j];
        }
    }
}

static double residual(const shares *s, uint32_t topic, double a[COLUMNS][2 * COLUMNS + 1],
                       double *docs)
{
    double sum = 0;
    *docs = 0;
    for (uint32_t d = 0; d < shape.docs; d++) {
        double row[COLUMNS] = {1, x_of(d), d % 4 == 0, d % 4 == 1}, e = s->share[d][topic];
        for (int i = 0; i < COLUMNS; i++)
            e -= a[i][2 * COLUMNS] * row[i];
        sum += d % 11 == 3 ? 0 : e * e;
        *docs += d % 11 != 3;
    }
    return sum / (*docs - COLUMNS);
}

TEST(coefficients_are_those_of_least_squares)
{
    static simulation sim;
    ezlda_context *context = check_context();
    ez_chain *chain = NULL;
    ez_design design = {0};
    ez_regression r = {0};
    static shares s;
    sim_draw(&sim, &shape, 4);
    ezlda_corpus *plain = corpus_of(&sim), *corpus = with_fields(plain, shape.docs);
    ezlda_model *model = model_of(&sim, corpus, true);
    ezlda_context_set_threads(context, 1);
    CHECK_OK(context, ez_design_make(&design, context, corpus, "share ~ x + g"));
    CHECK_EQ(design.columns, COLUMNS - 1);
    CHECK_STR(design.name[1], "g=b");
    CHECK_OK(context, ez_regression_open(&r, context, &design, model, 2, 1));
    CHECK_OK(context, ez_chain_open(&chain, context, model, corpus, 2));
    ez_chain_set_prior(chain, ez_regression_prior, &r);
    double mean[SIM_TOPICS][COLUMNS] = {{0}}, first[SIM_TOPICS][COLUMNS],
           variance[SIM_TOPICS] = {0};
    double a[COLUMNS][2 * COLUMNS + 1], docs;
    for (uint32_t round = 0; round < 2; round++) {
        CHECK_OK(context, ez_chain_steps(chain, context, 3, NULL, NULL));
        s = (shares){.r = &r};
        CHECK_OK(context, ez_chain_visit(chain, context, take_shares, &s));
        CHECK_OK(context, ez_regression_update(&r, context, chain, round + 1, true));
        for (uint32_t k = 0; k < shape.topics; k++) {
            solve(&s, k, a);
            double rest = residual(&s, k, a, &docs);
            for (uint32_t j = 0; j < COLUMNS; j++) {
                double found = r.coefficient[(round * COLUMNS + j) * shape.topics + k];
                CHECK_NEAR(found, a[j][2 * COLUMNS], 1e-10);
                mean[k][j] += found / 2;
                first[k][j] = round ? first[k][j] : found;
            }
            CHECK_NEAR(r.residual[round * shape.topics + k], rest, 1e-10);
            CHECK_NEAR(r.unsure[round * shape.topics + k], s.unsure[k], 1e-12);
            variance[k] += (rest + 2 * s.unsure[k]) / 2;
        }
    }
    /* Rubin: the variance within samples, and 1 + 1/m times that between them. */
    for (uint32_t k = 0; k < shape.topics; k++)
        for (uint32_t j = 0; j < COLUMNS; j++) {
            double weight[COLUMNS] = {0}, step = 2 * (first[k][j] - mean[k][j]);
            weight[j] = 1;
            ez_pooled pooled = ez_regression_pool(&r, k, weight);
            CHECK_NEAR(pooled.estimate, mean[k][j], 1e-12);
            CHECK_NEAR(pooled.error, sqrt(variance[k] * a[j][COLUMNS + j] + 1.5 * step * step / 2),
                       1e-9);
            CHECK(pooled.df > 0 && pooled.df <= docs - COLUMNS);
        }
    /* A document's prior is what the coefficients predict for it. */
    double alpha[SIM_TOPICS];
    ez_regression_prior(&r, 3, alpha); /* no value of g: the model's */
    CHECK_NEAR(alpha[0], shape.alpha, 0);
    ez_regression_prior(&r, 4, alpha);
    for (uint32_t k = 0; k < shape.topics; k++) {
        const double *b = r.now + k;
        double share = b[0] + b[shape.topics] * x_of(4) + b[2 * shape.topics];
        if (share > 0.1)
            CHECK_NEAR(alpha[k], share * r.alpha_sum, 1e-12);
    }
    ez_chain_close(chain);
    ez_regression_close(&r);
    ez_design_free(&design);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    ezlda_corpus_free(plain);
}

TEST_MAIN()
