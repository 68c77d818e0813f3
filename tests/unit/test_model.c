/* The model: what the trainer hands over comes back from every query, before saving and after
 * loading. */
#include "check.h"

#include "base/files/container.h"
#include "model/model_layout.h"
#include "model_example.h"

static void check_row(size_t n, const uint32_t *topic, const uint32_t *count,
                      const uint32_t *expected)
{
    size_t at = 0;
    for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++) {
        if (!expected[k])
            continue;
        CHECK(at < n);
        CHECK_EQ(topic[at], k);
        CHECK_EQ(count[at], expected[k]);
        at++;
    }
    CHECK_EQ(n, at);
}

static void check_counts(const ezlda_model *model, const example *e)
{
    uint32_t topic[EXAMPLE_TOPICS], count[EXAMPLE_TOPICS];
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        check_row(ezlda_model_word_topics(model, v, topic, count, EXAMPLE_TOPICS), topic, count,
                  e->w[v]);
        CHECK_EQ(ezlda_model_word_tokens(model, v), e->word_tokens[v]);
    }
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++) {
        check_row(ezlda_model_doc_topics(model, d, topic, count, EXAMPLE_TOPICS), topic, count,
                  e->d[d]);
        uint64_t length = e->doc_start[d + 1] - e->doc_start[d];
        CHECK_EQ(ezlda_model_doc_tokens(model, d), length);
        const uint16_t *topics = ezlda_model_token_topics(model, d);
        CHECK(topics && memcmp(topics, e->topic + e->doc_start[d], length * sizeof *topics) == 0);
    }
    for (uint32_t k = 0; k < EXAMPLE_TOPICS; k++) {
        CHECK_EQ(ezlda_model_topic_tokens(model)[k], e->n[k]);
        CHECK(ezlda_model_alpha(model)[k] == 0.125 * (k + 1));
    }
}

static void check_settings(const ezlda_model *model, const example *e)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    CHECK_EQ(info.size, sizeof info);
    CHECK_EQ(info.docs, EXAMPLE_DOCS);
    CHECK_EQ(info.words, EXAMPLE_WORDS);
    CHECK_EQ(info.tokens, e->tokens);
    CHECK_EQ(info.topics, EXAMPLE_TOPICS);
    CHECK_EQ(info.iterations, 25);
    CHECK_EQ(info.seed, 42);
    CHECK(info.alpha_sum == 0.125 * 28 && info.beta == 0.01);
    CHECK_EQ(info.estimator, EZLDA_ESCA);
    CHECK(info.seconds_sampling == 1.5 && info.skipped == 0.25 && info.moved == 0.125);
    CHECK(info.topics_hash == 0x123456789abcdef0 && info.corpus_hash == 0xfedcba9876543210);
    CHECK_STR(info.device, "cpu (avx2)");
    CHECK_EQ(info.threads, 2);
    CHECK_EQ(info.llpt_count, 3);
    CHECK_EQ(info.has_topics, 1);
    uint32_t iteration;
    double seconds, llpt;
    CHECK(ezlda_model_llpt(model, 1, &iteration, &seconds, &llpt));
    CHECK(iteration == 20 && seconds == 1.25 && llpt == -9.25);
    CHECK(!ezlda_model_llpt(model, 3, &iteration, &seconds, &llpt));
}

static void check_strings(const ezlda_model *model)
{
    char word[32];
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        snprintf(word, sizeof word, "wörd<%u>", v);
        CHECK_STR(ezlda_model_word(model, v), word);
    }
    for (uint64_t d = 0; d < EXAMPLE_DOCS; d++)
        CHECK_STR(ezlda_model_doc_name(model, d), example_name(d));
    CHECK_STR(ezlda_model_word(model, EXAMPLE_WORDS), NULL);
    CHECK_STR(ezlda_model_doc_name(model, EXAMPLE_DOCS), NULL);
}

TEST(answers_are_the_parts_before_and_after_saving)
{
    static example e;
    example_make(&e, 1);
    CHECK(e.n[EXAMPLE_EMPTY_TOPIC] == 0 && e.word_tokens[EXAMPLE_EMPTY_WORD] == 0);
    CHECK(e.d[EXAMPLE_LONG_DOC][0] == 255 && e.d[EXAMPLE_LONG_DOC][1] == 256 &&
          e.d[EXAMPLE_LONG_DOC][2] == 1000);
    ezlda_context *context = check_context();
    ezlda_model *made = example_model(&e), *loaded = NULL;
    CHECK_OK(context, ezlda_model_save(context, made, check_tmp("m")));
    for (int threads = 1; threads <= 3; threads++) {
        ezlda_context_set_threads(context, threads);
        CHECK_OK(context, ezlda_model_load(&loaded, context, check_tmp("m")));
        CHECK(ez_model_hash(made) == ez_model_hash(loaded));
        const ezlda_model *both[] = {made, loaded};
        for (int i = 0; i < 2 && loaded; i++) {
            check_counts(both[i], &e);
            check_settings(both[i], &e);
            check_strings(both[i]);
        }
        ezlda_model_free(loaded);
    }
    ezlda_model_free(made);
}

TEST(a_model_may_be_saved_over_the_file_it_was_loaded_from)
{
    static example e;
    example_make(&e, 2);
    ezlda_context *context = check_context();
    ezlda_model *model = example_model(&e), *again = NULL;
    CHECK_OK(context, ezlda_model_save(context, model, check_tmp("m")));
    ezlda_model_free(model);
    CHECK_OK(context, ezlda_model_load(&model, context, check_tmp("m")));
    CHECK_OK(context, ezlda_model_save(context, model, check_tmp("m")));
    CHECK_OK(context, ezlda_model_load(&again, context, check_tmp("m")));
    check_counts(model, &e);
    check_counts(again, &e);
    ezlda_model_free(model);
    ezlda_model_free(again);
}

static const uint32_t all_tags[] = {
    EZ_MODEL_META,        EZ_MODEL_ALPHA,        EZ_MODEL_TOPIC_TOKENS, EZ_MODEL_W_START,
    EZ_MODEL_W_TOPIC,     EZ_MODEL_W_COUNT,      EZ_MODEL_W_LARGE,      EZ_MODEL_D_START,
    EZ_MODEL_D_TOPIC,     EZ_MODEL_D_COUNT,      EZ_MODEL_D_LARGE,      EZ_MODEL_WORDS,
    EZ_MODEL_WORDS_INDEX, EZ_MODEL_NAMES,        EZ_MODEL_NAMES_INDEX,  EZ_MODEL_DOC_START,
    EZ_MODEL_LLPT,        EZ_MODEL_TOKEN_TOPICS, EZ_MODEL_TRAINING,
};

TEST(two_runs_differ_in_the_run_section_only)
{
    static example e;
    example_make(&e, 3);
    ezlda_context *context = check_context();
    ez_model_parts parts;
    ezlda_corpus *corpus = example_corpus(&e, 1);
    ezlda_model *one = example_model(&e), *two = NULL;
    example_parts(&parts, &e, 1);
    parts.seconds_sampling = 77;
    parts.skipped = 0.5;
    parts.threads = 8;
    snprintf(parts.device, sizeof parts.device, "cuda:0");
    for (size_t i = 0; i < parts.llpt_count; i++)
        parts.llpt[i].seconds *= 3;
    CHECK_OK(context, ez_model_create(&two, context, &parts, corpus));
    for (size_t i = 0; i < sizeof all_tags / sizeof *all_tags; i++) {
        uint64_t n1, n2;
        const void *s1 = ez_container_section(one->container, all_tags[i], &n1);
        const void *s2 = ez_container_section(two->container, all_tags[i], &n2);
        CHECK(s1 && s2);
        CHECK_EQ(n1, n2);
        CHECK(memcmp(s1, s2, n1) == 0);
    }
    CHECK(ez_container_section_hash(one->container, EZ_MODEL_RUN) !=
          ez_container_section_hash(two->container, EZ_MODEL_RUN));
    CHECK(ez_model_hash(one) == ez_model_hash(two));
    ezlda_corpus_free(corpus);
    ezlda_model_free(one);
    ezlda_model_free(two);
}

TEST(the_hash_is_of_the_model_and_not_of_what_is_kept_besides)
{
    static example e, other;
    example_make(&e, 4);
    example_make(&other, 5);
    ezlda_context *context = check_context();
    ez_model_parts parts;
    ezlda_corpus *corpus = example_corpus(&e, 1);
    ezlda_model *one = example_model(&e), *plain = NULL, *different = example_model(&other),
                *seeded = NULL;
    example_parts(&parts, &e, 0);
    parts.llpt_count = 1;
    CHECK_OK(context, ez_model_create(&plain, context, &parts, corpus));
    example_parts(&parts, &e, 1);
    parts.seed++;
    CHECK_OK(context, ez_model_create(&seeded, context, &parts, corpus));
    CHECK(ez_model_hash(one) == ez_model_hash(plain));
    CHECK(ez_model_hash(one) != ez_model_hash(different));
    CHECK(ez_model_hash(one) != ez_model_hash(seeded));
    CHECK(ezlda_model_token_topics(plain, 0) == NULL);
    ezlda_corpus_free(corpus);
    ezlda_model_free(one);
    ezlda_model_free(plain);
    ezlda_model_free(different);
    ezlda_model_free(seeded);
}

TEST(words_can_be_renamed)
{
    static example e;
    example_make(&e, 1);
    ezlda_context *context = check_context();
    ezlda_model *made = example_model(&e), *named = NULL, *loaded = NULL;
    char text[EXAMPLE_WORDS][16];
    const char *words[EXAMPLE_WORDS];
    for (uint32_t v = 0; v < EXAMPLE_WORDS; v++) {
        snprintf(text[v], sizeof text[v], "w\xc3\xb6rter%u", v);
        words[v] = text[v];
    }
    CHECK_OK(context, ezlda_model_with_words(&named, context, made, words, EXAMPLE_WORDS));
    CHECK_OK(context, ezlda_model_save(context, named, check_tmp("named")));
    CHECK_OK(context, ezlda_model_load(&loaded, context, check_tmp("named")));
    const ezlda_model *both[] = {named, loaded};
    for (int i = 0; i < 2 && loaded; i++) {
        check_counts(both[i], &e);
        check_settings(both[i], &e);
        for (uint32_t v = 0; v < EXAMPLE_WORDS; v++)
            CHECK_STR(ezlda_model_word(both[i], v), text[v]);
        CHECK_STR(ezlda_model_doc_name(both[i], 1), ezlda_model_doc_name(made, 1));
    }
    ezlda_model_free(named);
    ezlda_model_free(loaded);
    CHECK_FAILS(context, ezlda_model_with_words(&named, context, made, words, 3), "3 words");
    words[7] = words[2];
    CHECK_FAILS(context, ezlda_model_with_words(&named, context, made, words, EXAMPLE_WORDS),
                "word 7");
    words[7] = "\xff";
    CHECK_FAILS(context, ezlda_model_with_words(&named, context, made, words, EXAMPLE_WORDS),
                "words: ");
    words[7] = NULL;
    CHECK_FAILS(context, ezlda_model_with_words(&named, context, made, words, EXAMPLE_WORDS),
                "word 7");
    CHECK(!named);
    ezlda_model_free(made);
}

TEST(without_names_the_names_are_empty)
{
    static example e;
    example_make(&e, 6);
    ezlda_context *context = check_context();
    ez_model_parts parts;
    ezlda_corpus *corpus = example_corpus(&e, 0);
    ezlda_model *model = NULL, *loaded = NULL;
    example_parts(&parts, &e, 0);
    CHECK_OK(context, ez_model_create(&model, context, &parts, corpus));
    CHECK_OK(context, ezlda_model_save(context, model, check_tmp("m")));
    CHECK_OK(context, ezlda_model_load(&loaded, context, check_tmp("m")));
    CHECK_STR(ezlda_model_doc_name(loaded, EXAMPLE_DOCS - 1), "");
    CHECK_STR(ezlda_model_doc_name(loaded, EXAMPLE_DOCS), NULL);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
    ezlda_model_free(loaded);
}

TEST(out_of_range_has_nothing)
{
    static example e;
    example_make(&e, 7);
    ezlda_model *model = example_model(&e);
    uint32_t topic = 99, count = 99;
    CHECK_EQ(ezlda_model_word_topics(model, EXAMPLE_WORDS, &topic, &count, 1), 0);
    CHECK_EQ(ezlda_model_doc_topics(model, EXAMPLE_DOCS, &topic, &count, 1), 0);
    CHECK_EQ(ezlda_model_word_tokens(model, EXAMPLE_WORDS), 0);
    CHECK_EQ(ezlda_model_doc_tokens(model, UINT64_MAX), 0);
    CHECK(ezlda_model_token_topics(model, EXAMPLE_DOCS) == NULL);
    CHECK_EQ(ezlda_model_doc_topics(model, EXAMPLE_LONG_DOC, &topic, &count, 0), 3);
    CHECK(topic == 99 && count == 99);
    CHECK_EQ(ezlda_model_doc_topics(model, EXAMPLE_LONG_DOC, &topic, &count, 1), 3);
    CHECK(topic == 0 && count == 255);
    ezlda_model_free(model);
    ezlda_model_free(NULL);
}

TEST(a_shorter_info_of_an_older_caller_is_filled_as_far_as_it_goes)
{
    static example e;
    example_make(&e, 8);
    ezlda_model *model = example_model(&e);
    ezlda_model_info info;
    memset(&info, 0x5a, sizeof info);
    info.size = offsetof(ezlda_model_info, tokens);
    ezlda_model_get_info(model, &info);
    CHECK_EQ(info.docs, EXAMPLE_DOCS);
    CHECK_EQ(info.words, EXAMPLE_WORDS);
    CHECK(info.tokens == 0x5a5a5a5a5a5a5a5a);
    ezlda_model_free(model);
}

TEST(parts_that_do_not_add_up_are_refused)
{
    static example e;
    example_make(&e, 9);
    ezlda_context *context = check_context();
    ez_model_parts parts;
    ezlda_corpus *corpus = example_corpus(&e, 1);
    ezlda_model *model = NULL;
    example_parts(&parts, &e, 1);
    parts.word_rows.count[0]++;
    CHECK_FAILS(context, ez_model_create(&model, context, &parts, corpus),
                "in the rows of the words");
    CHECK(model == NULL && parts.alpha == NULL && parts.word_rows.count == NULL);
    example_parts(&parts, &e, 1);
    parts.docs--;
    ez_clear(context);
    CHECK_EQ(ez_model_create(&model, context, &parts, corpus), EZLDA_ERROR_INTERNAL);
    CHECK(model == NULL);
    ezlda_corpus_free(corpus);
}

TEST(a_corpus_without_documents_makes_a_model)
{
    ezlda_context *context = check_context();
    ez_corpus_builder *builder = NULL;
    ezlda_corpus *corpus = NULL;
    ezlda_model *model = NULL;
    static const uint64_t zeros[2];
    static const double alpha[] = {1, 2};
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, NULL, 0));
    CHECK_OK(context, ez_corpus_builder_finish(builder, &corpus, context, NULL, 0));
    ez_model_parts parts = {.topics = 2, .beta = 0.1, .device = "reference"};
    parts.alpha = example_copy(alpha, 2, sizeof *alpha);
    parts.topic_tokens = example_copy(zeros, 2, sizeof *zeros);
    parts.doc_start = example_copy(zeros, 1, sizeof *zeros);
    parts.word_rows.start = example_copy(zeros, 1, sizeof *zeros);
    parts.doc_rows.start = example_copy(zeros, 1, sizeof *zeros);
    CHECK_OK(context, ez_model_create(&model, context, &parts, corpus));
    CHECK_STR(ezlda_model_word(model, 0), NULL);
    ezlda_scored top;
    size_t n = 9;
    CHECK_OK(context, ezlda_model_top_words(&top, 1, &n, context, model, 1, EZLDA_BY_LIFT, 0));
    CHECK_EQ(n, 0);
    ezlda_corpus_free(corpus);
    ezlda_model_free(model);
}

TEST_MAIN()
