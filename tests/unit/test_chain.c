/* The chain of the posterior: it has the exact posterior, unlike the trainer, the same bits for any
 * number of threads, and the counts of a model that it was not trained on stay. */
#include "check.h"

#include "model_of_simulation.h"
#include "posterior/chain.h"
#include "posterior/topic_line.h"

enum { BURN_IN = 40, APART = 10 };

static const sim_shape small = {8, 10, 20, 2, 0.5, 0.2}, larger = {32, 40, 20, 3, 0.5, 0.2};

static void take_topics(void *user, uint32_t span, const ez_chain_doc *doc)
{
    simulation *s = user;
    (void)span;
    memcpy(s->topic + doc->doc * s->shape.length, doc->topic, doc->tokens * sizeof *doc->topic);
}

static void advance(ez_chain *chain, simulation *s, uint32_t steps)
{
    CHECK_OK(check_context(), ez_chain_steps(chain, check_context(), steps, NULL, NULL));
    CHECK_OK(check_context(), ez_chain_visit(chain, check_context(), take_topics, s));
    sim_count(s);
}

static void calibrate(calibration *all, const sim_shape *shape, uint32_t simulations)
{
    static simulation s;
    double truth[FIGURES], sample[FIGURES][SIM_SAMPLES], now[FIGURES];
    memset(all, 0, FIGURES * sizeof *all);
    ezlda_context_set_threads(check_context(), 1);
    for (uint32_t n = 0; n < simulations; n++) {
        ez_chain *chain = NULL;
        sim_draw(&s, shape, n);
        sim_figures(&s, truth);
        ezlda_corpus *corpus = corpus_of(&s);
        ezlda_model *model = model_of(&s, corpus, true);
        CHECK_OK(check_context(), ez_chain_open(&chain, check_context(), model, corpus, n));
        CHECK(chain && ez_chain_is_own(chain));
        for (uint32_t i = 0; i < SIM_SAMPLES && chain; i++) {
            advance(chain, &s, i ? APART : BURN_IN);
            sim_figures(&s, now);
            for (int j = 0; j < FIGURES; j++)
                sample[j][i] = now[j];
        }
        for (int j = 0; j < FIGURES; j++)
            calibration_add(&all[j], truth[j], sample[j], sim_uniform(&s));
        ez_chain_close(chain);
        ezlda_model_free(model);
        ezlda_corpus_free(corpus);
    }
}

/* The topics that were drawn with the words are a draw from the posterior, so an exact chain that
 * starts there keeps the distribution of every figure. */
TEST(samples_have_the_exact_posterior)
{
    calibration all[FIGURES];
    for (int turn = 0; turn < 2; turn++) {
        calibrate(all, turn ? &larger : &small, turn ? 60 : 600);
        for (int i = 0; i < FIGURES; i++)
            if (fabs(calibration_score(&all[i])) > 4 ||
                calibration_chi_square(&all[i]) > SIM_SAMPLES + 5 * sqrt(2.0 * SIM_SAMPLES))
                CHECK_FAIL("%s: %+.1f standard errors, chi-square %.1f", figure_names[i],
                           calibration_score(&all[i]), calibration_chi_square(&all[i]));
    }
}

TEST(any_number_of_threads_draws_the_same)
{
    static simulation s, other;
    for (int kept = 0; kept < 2; kept++) {
        sim_draw(&s, &larger, 5);
        ezlda_corpus *corpus = corpus_of(&s);
        ezlda_model *model = model_of(&s, corpus, kept);
        for (int threads = 1; threads <= 8; threads += threads + 1) {
            ez_chain *chain = NULL;
            ezlda_context_set_threads(check_context(), threads);
            CHECK_OK(check_context(), ez_chain_open(&chain, check_context(), model, corpus, 3));
            other.shape = s.shape;
            other.tokens = s.tokens;
            memcpy(other.word, s.word, sizeof s.word);
            advance(chain, &other, 7);
            if (threads == 1)
                memcpy(s.topic, other.topic, sizeof s.topic);
            CHECK(memcmp(s.topic, other.topic, s.tokens * sizeof *s.topic) == 0);
            ez_chain_close(chain);
        }
        ezlda_model_free(model);
        ezlda_corpus_free(corpus);
    }
    ezlda_context_set_threads(check_context(), 1);
}

static void count_tokens(void *user, uint32_t span, const ez_chain_doc *doc)
{
    (void)span;
    *(uint64_t *)user += doc->tokens;
}

TEST(documents_that_the_model_has_not_seen)
{
    static simulation s, other;
    uint64_t tokens = 0;
    ez_chain *chain = NULL;
    sim_draw(&s, &larger, 8);
    sim_draw(&other, &small, 9);
    ezlda_corpus *corpus = corpus_of(&s), *unseen = corpus_of(&other);
    ezlda_model *model = model_of(&s, corpus, false);
    CHECK_OK(check_context(), ez_chain_open(&chain, check_context(), model, unseen, 1));
    CHECK(!ez_chain_is_own(chain));
    CHECK_OK(check_context(), ez_chain_steps(chain, check_context(), 5, NULL, NULL));
    CHECK_OK(check_context(), ez_chain_visit(chain, check_context(), count_tokens, &tokens));
    uint64_t known = 0;
    for (uint32_t i = 0; i < other.tokens; i++)
        known += ezlda_model_word_tokens(model, other.word[i]) > 0;
    CHECK_EQ(tokens, known);
    ez_chain_close(chain);
    ezlda_model_free(model);
    ezlda_corpus_free(unseen);
    ezlda_corpus_free(corpus);
}

/* The topic by the definition: the lanes one after the other, in each the first sum above. */
static int32_t plain_topic(const float *weight, const float *phi, size_t groups, double u)
{
    double all = 0, sum = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int lane = 0; lane < EZ_CHAIN_LANES; lane++)
            for (size_t i = 0; i < groups; i++) {
                size_t at = i * EZ_CHAIN_LANES + (size_t)lane;
                double one = (double)(weight[at] * phi[at]);
                all += turn ? 0 : one;
                sum += turn ? one : 0;
                if (turn && sum > u * all)
                    return (int32_t)at;
            }
    return EZ_NO_TOPIC;
}

/* Weights are small whole numbers, so that every sum is exact, and shares lie on borders, too. */
TEST(lines_of_weights_give_the_topic_at_a_share)
{
    enum { GROUPS = 9, MOST = GROUPS * EZ_CHAIN_LANES };
    static float weight[2][MOST], phi[2][MOST], room[2][MOST];
    uint64_t state = 1;
    for (size_t groups = 1; groups <= GROUPS; groups++)
        for (int turn = 0; turn < 400; turn++) {
            ez_line lines[2];
            int32_t best[2], plain[2], one;
            for (int i = 0; i < 2; i++) {
                for (size_t k = 0; k < groups * EZ_CHAIN_LANES; k++) {
                    state = state * 6364136223846793005 + 1442695040888963407;
                    weight[i][k] = turn % 4 == 0 ? 0 : (float)(state >> 60);
                    phi[i][k] = (float)(state >> 40 & (turn % 8 ? 1 : 7));
                }
                if (turn % 4 == 0 && turn)
                    weight[i][(size_t)turn % (groups * EZ_CHAIN_LANES)] = 1;
                lines[i] = (ez_line){weight[i], phi[i], room[i], ((turn + i) % 16 + 0.5) / 16};
                if (turn % 3 == 0)
                    lines[i].u = (turn % 16) / 16.0 + 1e-12;
            }
            ez_choose_topic_lines()(lines, 2, groups, best);
            ez_topic_lines_plain(lines, 2, groups, plain);
            for (int i = 0; i < 2; i++) {
                CHECK_EQ(best[i], plain[i]);
                CHECK_EQ(best[i], plain_topic(weight[i], phi[i], groups, lines[i].u));
                ez_choose_topic_lines()(&lines[i], 1, groups, &one);
                CHECK_EQ(best[i], one);
            }
        }
}

TEST_MAIN()
