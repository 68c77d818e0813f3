/* Synthetic corpora: the same for any threads, with the planted topics and lengths. */
#include "check.h"

#include "corpus/corpus.h"
#include "corpus/synth/synth.h"
#include "numeric/portable_math.h"
#include "reader_help.h"

static ezlda_synth_options small(void)
{
    ezlda_synth_options options;
    ezlda_synth_options_init(&options);
    options.docs = 2000;
    options.words = 3000;
    options.topics = 20;
    options.seed = 7;
    return options;
}

static ezlda_corpus *draw(const ezlda_synth_options *options, int threads)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    ezlda_context_set_threads(context, threads);
    CHECK_OK(context, ezlda_corpus_synth(&corpus, context, options));
    return corpus;
}

static ezlda_corpus_info info_of(const ezlda_corpus *corpus)
{
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(corpus, &info);
    return info;
}

TEST(the_same_for_any_threads_other_for_another_seed)
{
    ezlda_synth_options options = small();
    uint64_t hash = 0;
    for (int threads = 1; threads <= 64; threads = threads * 3 + 1) {
        ezlda_corpus *corpus = draw(&options, threads);
        CHECK(threads == 1 || hash_of(corpus) == hash);
        hash = hash_of(corpus);
        ezlda_corpus_free(corpus);
    }
    /* Pinned: the same options give the same corpus on any machine, with any later version. */
    CHECK_EQ(hash, 0x2190e80d437c9d5d);
    options.seed++;
    ezlda_corpus *corpus = draw(&options, 2);
    CHECK(hash_of(corpus) != hash);
    ezlda_corpus_free(corpus);
}

TEST(lengths_have_their_mean_and_skew)
{
    ezlda_synth_options options = small();
    options.docs = 20000;
    options.mean_length = 50;
    options.sigma = 1;
    ezlda_corpus *corpus = draw(&options, 2);
    ezlda_corpus_info info = info_of(corpus);
    CHECK_EQ(info.docs, 20000);
    CHECK_EQ(info.words, 3000);
    CHECK_NEAR((double)info.tokens / 20000, 50, 2); /* standard error 0.46 */
    CHECK(info.longest > 500);
    ezlda_corpus_free(corpus);
    options.sigma = 0;
    corpus = draw(&options, 2);
    info = info_of(corpus);
    CHECK_EQ(info.tokens, 50 * 20000);
    CHECK_EQ(info.longest, 50);
    ezlda_corpus_free(corpus);
}

TEST(empty_and_one_of_each)
{
    ezlda_synth_options options = small();
    options.mean_length = 0;
    ezlda_corpus *corpus = draw(&options, 1);
    CHECK_EQ(info_of(corpus).empty_docs, 2000);
    ezlda_corpus_free(corpus);
    options.docs = 0;
    corpus = draw(&options, 1);
    CHECK_EQ(info_of(corpus).docs, 0);
    ezlda_corpus_free(corpus);
    options.docs = options.words = options.topics = 1;
    options.mean_length = 9;
    options.sigma = 0;
    corpus = draw(&options, 1);
    CHECK_STR(show(corpus), "0:9|");
    CHECK_STR(ezlda_corpus_word(corpus, 0), "w0");
    ezlda_corpus_free(corpus);
}

TEST(words_follow_zipf)
{
    ezlda_synth_options options = small();
    options.docs = 20000;
    options.topics = 300;
    ezlda_corpus *corpus = draw(&options, 2);
    const uint64_t *tokens = ez_corpus_word_tokens(corpus);
    double total = (double)info_of(corpus).tokens, sum = 0;
    for (int i = 1; i <= 3000; i++)
        sum += 1.0 / i;
    /* Groups of ranks: each within a quarter of what Zipf says. */
    for (uint32_t from = 0; from < 1000; from = from * 2 + 1) {
        double found = 0, expected = 0;
        for (uint32_t i = from; i < from * 2 + 1; i++) {
            found += (double)tokens[i] / total;
            expected += 1.0 / (i + 1) / sum;
        }
        CHECK_NEAR(found / expected, 1, 0.25);
    }
    ezlda_corpus_free(corpus);
}

/* Documents made of one topic each show that topic's words. */
TEST(documents_show_the_planted_topic)
{
    ezlda_context *context = check_context();
    ezlda_synth_options options = small();
    options.topics = 1;
    options.beta = 30;
    options.docs = 3000;
    ezlda_corpus *corpus = draw(&options, 2);
    uint32_t word[200], count[200];
    size_t n = 0;
    CHECK_OK(context, ez_synth_topic_words(context, &options, 0, word, count, 200, &n));
    CHECK(n > 20);
    double total = (double)info_of(corpus).tokens;
    for (size_t i = 0; i < 10 && i < n; i++) {
        double expected = (double)count[i] / (EZ_URN + options.beta);
        CHECK(i == 0 || count[i] <= count[i - 1]);
        CHECK_NEAR((double)ez_corpus_word_tokens(corpus)[word[i]] / total, expected,
                   0.1 * expected + 0.001);
    }
    ezlda_corpus_free(corpus);
}

/* With a small alpha a document is about one topic: its words belong to some planted topic far more
 * than chance. */
TEST(documents_keep_to_few_topics)
{
    ezlda_context *context = check_context();
    ezlda_synth_options options = small();
    options.alpha = 0.01;
    options.beta = 20;
    options.zipf = 0.5;
    options.docs = 200;
    options.sigma = 0;
    ezlda_corpus *corpus = draw(&options, 2);
    static uint32_t planted[20][3000], word[3000], count[3000];
    memset(planted, 0, sizeof planted);
    for (uint32_t topic = 0; topic < 20; topic++) {
        size_t n;
        CHECK_OK(context, ez_synth_topic_words(context, &options, topic, word, count, 3000, &n));
        for (size_t i = 0; i < n; i++)
            planted[topic][word[i]] = count[i];
    }
    double best_share = 0;
    for (uint64_t doc = 0; doc < 200; doc++) {
        size_t n = ezlda_corpus_document(corpus, doc, word, count, 3000);
        uint64_t best = 0;
        for (uint32_t topic = 0; topic < 20; topic++) {
            uint64_t inside = 0;
            for (size_t i = 0; i < n; i++)
                inside += planted[topic][word[i]] ? count[i] : 0;
            best = inside > best ? inside : best;
        }
        best_share += (double)best / 100 / 200;
    }
    CHECK(best_share > 0.85);
    ezlda_corpus_free(corpus);
}

TEST(options_out_of_range)
{
    static const struct {
        double mean, sigma, alpha, beta, zipf;
        uint32_t words, topics;
        const char *message;
    } bad[] = {{100, 1, 0, 200, 1, 0, 10, "0 words, expected 1 to"},
               {100, 1, 0, 200, 1, 10, 0, "0 topics, expected 1 to 65536"},
               {100, 1, 0, 200, 1, 10, 65537, "65537 topics"},
               {-1, 1, 0, 200, 1, 10, 10, "a mean length of -1"},
               {NAN, 1, 0, 200, 1, 10, 10, "a mean length of nan"},
               {100, 6, 0, 200, 1, 10, 10, "sigma = 6"},
               {100, 1, -1, 200, 1, 10, 10, "alpha = -1"},
               {100, 1, 0, 0, 1, 10, 10, "beta = 0"},
               {100, 1, 0, 200, -1, 10, 10, "a Zipf exponent of -1"},
               {100, 1, 0, 200, NAN, 10, 10, "a Zipf exponent of nan"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ezlda_synth_options options = small();
        options.mean_length = bad[i].mean;
        options.sigma = bad[i].sigma;
        options.alpha = bad[i].alpha;
        options.beta = bad[i].beta;
        options.zipf = bad[i].zipf;
        options.words = bad[i].words;
        options.topics = bad[i].topics;
        ezlda_corpus *corpus = NULL;
        CHECK_FAILS(check_context(), ezlda_corpus_synth(&corpus, check_context(), &options),
                    bad[i].message);
    }
    ezlda_synth_options options = small();
    options.docs = (uint64_t)1 << 40;
    ezlda_corpus *corpus = NULL;
    CHECK_FAILS(check_context(), ezlda_corpus_synth(&corpus, check_context(), &options),
                "documents, at most");
}

TEST(portable_functions_are_right)
{
    for (double x = 1e-9; x < 1e9; x *= 1.37)
        CHECK_NEAR(ez_portable_log(x), log(x), 1e-14 * (1 + fabs(log(x))));
    for (double x = -50; x < 50; x += 0.37)
        CHECK_NEAR(ez_portable_exp(x) / exp(x), 1, 1e-14);
    CHECK(ez_portable_log(1) == 0 && ez_portable_exp(0) == 1);
}

TEST_MAIN()
