/* Coherence against gensim's values, counts against the obvious way to count. */
#include "check.h"

#include "eval/cooccurrence.h"
#include "model_example.h"
#include "text_case.h"

/* The values below came from gensim 4.4.0, CoherenceModel(topics=[topic], texts=texts, corpus=bags,
 * dictionary=..., coherence=..., window_size=..., topn=len(topic),
 * processes=1).get_coherence_per_topic(), with the texts split at spaces. A window of 100 tokens is
 * longer than every document. */
static const char TEXTS[] =
    "apple banana apple cherry date banana apple elder fig apple\n"
    "banana cherry\n"
    "\n"
    "date elder fig grape apple banana cherry date elder\n"
    "fig grape fig grape fig\n"
    "apple fig banana grape cherry apple date fig elder banana apple grape\n"
    "grape\n";
static const char *const TOPICS[4][5] = {{"apple", "banana", "cherry"},
                                         {"date", "elder", "fig", "grape"},
                                         {"grape", "apple"},
                                         {"apple", "date", "fig", "banana", "elder"}};
static const double U_MASS[] = {2.13880764950389e-12, -0.183102048108629, -0.693147180556445,
                                -0.086304621733201};
static const double NPMI_DOCUMENTS[] = {0.773647429949612, 0.481330283423614, 0.12304856042826,
                                        0.728376915938135};
static const double C_V_DOCUMENTS[] = {0.983744726876784, 0.868799864682811, 0.788170842193691,
                                       0.976141677739449};
static const double NPMI_3[] = {0.0262080462778198, -0.147084186289084, -0.0592671197685722,
                                -0.0334973891382327};
static const double C_V_5[] = {0.776151554711996, 0.505667034941167, 0.817244800790578,
                               0.590825281262376};

typedef struct fruit {
    ezlda_corpus *corpus;
    uint32_t word[4][5];
    ez_topic_words topics[4];
} fruit;

static uint32_t number_of(const ezlda_corpus *corpus, const char *text)
{
    for (uint32_t w = 0; w < info_of(corpus).words; w++)
        if (strcmp(ezlda_corpus_word(corpus, w), text) == 0)
            return w;
    return UINT32_MAX;
}

static void fruit_open(fruit *f, int order)
{
    ezlda_import_options options = plain_options();
    options.keep_order = order;
    CHECK_OK(check_context(), read_one(&f->corpus, write_text("fruit.txt", TEXTS), &options));
    for (int t = 0; t < 4; t++) {
        uint32_t n = 0;
        for (; n < 5 && TOPICS[t][n]; n++)
            f->word[t][n] = number_of(f->corpus, TOPICS[t][n]);
        f->topics[t] = (ez_topic_words){f->word[t], n};
    }
}

static void check_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        CHECK_FAIL("%.17g, expected %.17g", value, expected);
}

static double mean(const double *value)
{
    return (value[0] + value[1] + value[2] + value[3]) / 4;
}

static void check_fruit(int order, uint32_t npmi_window, uint32_t c_v_window, const double *npmi,
                        const double *c_v)
{
    fruit f;
    ez_quality quality = {0};
    ez_quality_options options;
    ez_quality_options_init(&options);
    options.npmi_window = npmi_window;
    options.c_v_window = c_v_window;
    fruit_open(&f, order);
    CHECK_OK(check_context(),
             ez_quality_measure(&quality, check_context(), f.topics, 4, f.corpus, &options));
    for (int t = 0; t < 4 && quality.topics; t++) {
        check_near(quality.topics[t].u_mass, U_MASS[t]);
        check_near(quality.topics[t].npmi, npmi[t]);
        check_near(quality.topics[t].c_v, c_v[t]);
        CHECK(isnan(quality.topics[t].exclusivity));
        CHECK_EQ(quality.topics[t].missing, 0);
    }
    check_near(quality.u_mass, mean(U_MASS));
    check_near(quality.npmi, mean(npmi));
    check_near(quality.c_v, mean(c_v));
    check_near(quality.diversity, 7.0 / 14);
    CHECK_EQ(quality.docs, 7);
    CHECK_EQ(quality.npmi_windows, order ? 31 : 7);
    CHECK_EQ(quality.c_v_windows, order ? 23 : 7);
    CHECK_EQ(quality.npmi_window, order ? 3 : 0);
    CHECK_EQ(quality.c_v_window, order ? 5 : 0);
    ez_quality_free(&quality);
    ezlda_corpus_free(f.corpus);
}

TEST(documents_as_gensim)
{
    check_fruit(0, 10, 110, NPMI_DOCUMENTS, C_V_DOCUMENTS);
}

TEST(windows_as_gensim)
{
    check_fruit(1, 3, 5, NPMI_3, C_V_5);
}

TEST(windows_longer_than_documents_are_documents)
{
    fruit f;
    ez_quality quality = {0};
    ez_quality_options options = {.words = 20, .npmi_window = 100, .c_v_window = 12};
    fruit_open(&f, 1);
    CHECK_OK(check_context(),
             ez_quality_measure(&quality, check_context(), f.topics, 4, f.corpus, &options));
    check_near(quality.npmi, mean(NPMI_DOCUMENTS));
    check_near(quality.c_v, mean(C_V_DOCUMENTS));
    CHECK_EQ(quality.npmi_window, 100);
    ez_quality_free(&quality);
    ezlda_corpus_free(f.corpus);
}

/* A word that is not in the corpus changes only the count of such words; a topic of one word has
 * no value. */
TEST(words_without_tokens_are_left_out)
{
    fruit f;
    ez_quality quality = {0};
    ez_quality_options options;
    ez_quality_options_init(&options);
    fruit_open(&f, 0);
    uint32_t with[] = {f.word[0][0], UINT32_MAX, f.word[0][1], 1000, f.word[0][2]},
             one[] = {UINT32_MAX, f.word[0][0]};
    ez_topic_words topics[] = {{with, 5}, {one, 2}, {NULL, 0}};
    CHECK_OK(check_context(),
             ez_quality_measure(&quality, check_context(), topics, 3, f.corpus, &options));
    check_near(quality.topics[0].c_v, C_V_DOCUMENTS[0]);
    check_near(quality.u_mass, U_MASS[0]);
    check_near(quality.npmi, NPMI_DOCUMENTS[0]);
    CHECK_EQ(quality.topics[0].words, 5);
    CHECK_EQ(quality.topics[0].missing, 2);
    CHECK(isnan(quality.topics[1].u_mass) && isnan(quality.topics[1].npmi) &&
          isnan(quality.topics[1].c_v));
    CHECK_EQ(quality.missing, 3);
    CHECK_EQ(quality.unscored, 2);
    ez_quality_free(&quality);
    CHECK_OK(check_context(),
             ez_quality_measure(&quality, check_context(), topics + 1, 2, f.corpus, &options));
    CHECK(isnan(quality.u_mass) && isnan(quality.npmi) && isnan(quality.c_v));
    ez_quality_free(&quality);
    CHECK_OK(check_context(),
             ez_quality_measure(&quality, check_context(), NULL, 0, f.corpus, &options));
    CHECK(isnan(quality.c_v) && isnan(quality.diversity));
    ez_quality_free(&quality);
    ezlda_corpus_free(f.corpus);
}

TEST(more_words_than_asked_for_are_cut)
{
    fruit f;
    ez_quality quality = {0};
    ez_quality_options options = {.words = 3};
    fruit_open(&f, 0);
    uint32_t longer[] = {f.word[0][0], f.word[0][1], f.word[0][2], f.word[1][0], f.word[1][0]};
    CHECK_OK(check_context(),
             ez_quality_measure(&quality, check_context(), &(ez_topic_words){longer, 5}, 1,
                                f.corpus, &options));
    check_near(quality.npmi, NPMI_DOCUMENTS[0]);
    CHECK_EQ(quality.topics[0].words, 3);
    ez_quality_free(&quality);
    options.words = 5;
    CHECK_FAILS(check_context(),
                ez_quality_measure(&quality, check_context(), &(ez_topic_words){longer, 5}, 1,
                                   f.corpus, &options),
                "topic 0: \"date\" occurs twice");
    ez_quality_free(&quality);
    ez_clear(check_context());
    options.words = 1;
    CHECK_FAILS(check_context(),
                ez_quality_measure(&quality, check_context(), f.topics, 1, f.corpus, &options),
                "1 words of a topic: expected 2 to 1000");
    ezlda_corpus_free(f.corpus);
}

/* ---- models ---- */

/* Mean share of a topic's n words, ordered as the model orders them, from the dense counts. */
static double dense_exclusivity(const example *e, double beta, const ezlda_scored *word, size_t n,
                                uint32_t topic)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double all = 0, own = 0;
        for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++) {
            double p = (e->w[word[i].id][k] + beta) / ((double)e->n[k] + EXAMPLE_WORDS * beta);
            all += p;
            own = k == topic ? p : own;
        }
        sum += own / all;
    }
    return sum / (double)n;
}

TEST(a_models_topics)
{
    example e;
    ezlda_context *context = check_context();
    ez_quality quality = {0};
    ez_quality_options options = {.words = 6};
    example_make(&e, 3);
    ezlda_corpus *corpus = example_corpus(&e, 0);
    ezlda_model *model = example_model(&e);
    CHECK_OK(context, ez_quality_of_model(&quality, context, model, corpus, &options));
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    double sum = 0, listed = 0, distinct = 0, seen[EXAMPLE_WORDS] = {0};
    for (uint32_t t = 0; t < EXAMPLE_TOPICS; t++) {
        ezlda_scored word[6];
        size_t n;
        CHECK_OK(context,
                 ezlda_model_top_words(word, 6, &n, context, model, t, EZLDA_BY_PROBABILITY, 1));
        CHECK_EQ(quality.topics[t].words, n);
        for (size_t i = 0; i < n; i++)
            distinct += seen[word[i].id]++ == 0;
        listed += (double)n;
        if (n)
            check_near(quality.topics[t].exclusivity, dense_exclusivity(&e, info.beta, word, n, t));
        else
            CHECK(t == EXAMPLE_EMPTY_TOPIC && isnan(quality.topics[t].exclusivity));
        sum += n ? quality.topics[t].exclusivity : 0;
    }
    check_near(quality.exclusivity, sum / (EXAMPLE_TOPICS - 1));
    check_near(quality.diversity, distinct / listed);
    CHECK_EQ(quality.unscored, 1);
    ez_quality_free(&quality);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

/* The example's documents with the words numbered backwards, one word written in another way. */
static ezlda_corpus *backwards(const ezlda_corpus *corpus, uint32_t changed)
{
    uint64_t start[EXAMPLE_DOCS + 1] = {0};
    uint32_t word[EXAMPLE_DOCS * EXAMPLE_WORDS], count[EXAMPLE_DOCS * EXAMPLE_WORDS];
    const char *words[EXAMPLE_WORDS];
    ezlda_corpus *out = NULL;
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++)
        start[d + 1] = start[d] + ezlda_corpus_document(corpus, d, word + start[d],
                                                        count + start[d], EXAMPLE_WORDS);
    for (uint64_t i = 0; i < start[EXAMPLE_DOCS]; i++)
        word[i] = EXAMPLE_WORDS - 1 - word[i];
    for (uint32_t w = 0; w < EXAMPLE_WORDS; w++)
        words[EXAMPLE_WORDS - 1 - w] = w == changed ? "changed" : ezlda_corpus_word(corpus, w);
    CHECK_OK(check_context(), ezlda_corpus_from_csr(&out, check_context(), EXAMPLE_DOCS,
                                                    EXAMPLE_WORDS, start, word, count, words));
    return out;
}

TEST(words_are_matched_by_their_text)
{
    example e;
    ezlda_context *context = check_context();
    ez_quality same = {0}, mapped = {0}, less = {0};
    ez_quality_options options = {.words = 6};
    example_make(&e, 3);
    ezlda_corpus *corpus = example_corpus(&e, 0), *other = backwards(corpus, UINT32_MAX);
    ezlda_model *model = example_model(&e);
    CHECK_OK(context, ez_quality_of_model(&same, context, model, corpus, &options));
    CHECK_OK(context, ez_quality_of_model(&mapped, context, model, other, &options));
    CHECK(same.npmi == mapped.npmi && same.c_v == mapped.c_v && same.u_mass == mapped.u_mass);
    CHECK_EQ(mapped.missing, 0);
    ezlda_corpus_free(other);
    ezlda_scored first;
    size_t n;
    CHECK_OK(context,
             ezlda_model_top_words(&first, 1, &n, context, model, 2, EZLDA_BY_PROBABILITY, 1));
    other = backwards(corpus, (uint32_t)first.id);
    CHECK_OK(context, ez_quality_of_model(&less, context, model, other, &options));
    CHECK_EQ(less.topics[2].missing, 1);
    CHECK_EQ(less.topics[2].words, 6);
    CHECK(less.topics[2].npmi != same.topics[2].npmi);
    CHECK(less.exclusivity == same.exclusivity && less.diversity == same.diversity);
    ez_quality_free(&same);
    ez_quality_free(&mapped);
    ez_quality_free(&less);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
    ezlda_corpus_free(other);
}

TEST_MAIN()
