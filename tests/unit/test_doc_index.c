/* The index of documents: several segments against a plain search, and forged files. */
#include "check.h"

#include "base/files/container_layout.h"
#include "base/files/content_hash.h"
#include "corpus/corpus.h"
#include "model/model_layout.h"
#include "report/search/query.h"
#include "report/search/result_tables.h"

enum { DOCS = EZ_SEGMENT_DOCS + 5000, WORDS = 9, LENGTH = 6 };

static uint32_t word_at(uint64_t doc, uint32_t i)
{
    return (uint32_t)(ez_hash_bytes((uint64_t[]){doc, i}, 16) % (doc % 5 ? WORDS : 3));
}

/* Documents of LENGTH words in an order that is kept, with a year and a name. */
static ezlda_corpus *make_corpus(uint64_t docs, bool order)
{
    static const char *const fields[] = {"year", "name"};
    static const char *const words[WORDS] = {"wa", "wb", "wc", "wd", "we", "wf", "wg", "wh", "wi"};
    ezlda_context *context = check_context();
    ez_corpus_builder *builder;
    ezlda_corpus *corpus;
    CHECK_OK(context, ez_corpus_builder_create(&builder, context, fields, 2));
    if (order)
        ez_corpus_builder_keep_order(builder);
    for (uint64_t d = 0; d < docs; d++) {
        uint32_t count[WORDS] = {0}, word[WORDS], counts[WORDS], pair[WORDS], pair_of[LENGTH],
                 n = 0;
        char year[16], name[16];
        for (uint32_t i = 0; i < LENGTH; i++)
            count[word_at(d, i)]++;
        for (uint32_t w = 0; w < WORDS; w++)
            if (count[w]) {
                pair[w] = n;
                word[n] = w;
                counts[n++] = count[w];
            }
        for (uint32_t i = 0; i < LENGTH; i++)
            pair_of[i] = pair[word_at(d, i)];
        snprintf(year, sizeof year, "%d", (int)(1900 + d * 7 % 100));
        snprintf(name, sizeof name, "d%d", (int)d);
        CHECK_OK(context, ez_corpus_builder_add_ordered(builder, context, word, counts, n, pair_of,
                                                        order ? LENGTH : 0,
                                                        (const char *const[]){year, name}));
    }
    CHECK_OK(context, ez_corpus_builder_finish(builder, &corpus, context, words, WORDS));
    return corpus;
}

static ezlda_model *make_model(const ezlda_corpus *corpus)
{
    ezlda_train_options options;
    ezlda_model *model;
    ezlda_train_options_init(&options);
    options.topics = 2;
    options.iterations = 1;
    options.device = "cpu";
    CHECK_OK(check_context(), ezlda_train(&model, check_context(), corpus, &options));
    return model;
}

static bool has_word(uint64_t doc, uint32_t word)
{
    for (uint32_t i = 0; i < LENGTH; i++)
        if (word_at(doc, i) == word)
            return true;
    return false;
}

static bool has_phrase(uint64_t doc, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i + 1 < LENGTH; i++)
        if (word_at(doc, i) == a && word_at(doc, i + 1) == b)
            return true;
    return false;
}

static ez_found run(const ez_doc_index *index, ez_query_words *words, const char *text)
{
    ez_query query = {0};
    ez_found found;
    bool good;
    CHECK_OK(check_context(), ez_query_parse(&query, check_context(), index, words, text, &good));
    CHECK_STR(query.fault, "");
    CHECK_OK(check_context(), ez_query_run(&found, check_context(), index, &query));
    ez_query_free(&query);
    return found;
}

static bool wanted(int which, uint64_t d)
{
    switch (which) {
    case 0: return has_word(d, 7) && !has_word(d, 1);
    case 1: return has_phrase(d, 3, 3) || has_phrase(d, 8, 2);
    case 2: return has_phrase(d, 0, 1) && 1900 + d * 7 % 100 >= 1950;
    default: return true;
    }
}

TEST(several_segments_are_searched)
{
    static const char *const queries[] = {"wh -wb", "\"wd wd\" OR \"wi wc\"",
                                          "\"wa wb\" year:1950..", ""};
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = make_corpus(DOCS, true);
    ezlda_model *model = make_model(corpus);
    ez_query_words words;
    CHECK_OK(context, ez_query_words_open(&words, context, model));
    for (int threads = 1; threads <= 3; threads += 2) {
        ez_doc_index *index;
        ezlda_context_set_threads(context, threads);
        CHECK_OK(context, ez_doc_index_open(&index, context, model, corpus, NULL));
        CHECK_EQ(index->segments, 2);
        for (int q = 0; q < 4; q++) {
            ez_found found = run(index, &words, queries[q]);
            uint64_t docs = 0;
            for (uint64_t d = 0; d < DOCS; d++) {
                docs += wanted(q, d);
                if (ez_found_has(&found, d) != wanted(q, d))
                    CHECK_FAIL("query %d, document %d", q, (int)d);
            }
            CHECK_EQ(found.docs, docs);
            CHECK(docs > 100);
            ez_found_free(&found);
        }
        ez_doc_index_free(index);
    }
    ezlda_context_set_threads(context, 0);
    ez_query_words_close(&words);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST(sums_and_lists_are_those_of_the_documents)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = make_corpus(DOCS, false);
    ezlda_model *model = make_model(corpus);
    ez_doc_index *index;
    ez_query_words words;
    ez_groups groups;
    ez_cell cell[100];
    uint64_t tokens[2], all, count[WORDS] = {0}, docs;
    uint32_t list[40], n;
    CHECK_OK(context, ez_query_words_open(&words, context, model));
    CHECK_OK(context, ez_doc_index_open(&index, context, model, corpus, NULL));
    ez_found found = run(index, &words, "wh");
    CHECK_OK(context, ez_groups_make(&groups, context, index, 0, "year"));
    CHECK_EQ(groups.n, 100);
    CHECK_OK(context, ez_cross(context, index, &found, &groups, NULL, 1, cell));
    CHECK_OK(context, ez_found_topics(context, index, &found, tokens, &all));
    CHECK_OK(context, ez_found_words(context, index, &found, 1000, count, &docs));
    CHECK_EQ(docs, 1000);
    CHECK_EQ(all, found.docs * LENGTH);
    uint64_t sum = 0, own = 0, counted = 0;
    for (uint32_t i = 0; i < 100; i++) {
        sum += cell[i].docs;
        own += cell[i].topic_tokens;
        CHECK_EQ(cell[i].tokens, cell[i].docs * LENGTH);
    }
    for (uint32_t w = 0; w < WORDS; w++)
        counted += count[w];
    CHECK_EQ(sum, found.docs);
    CHECK_EQ(own, tokens[1]);
    CHECK_EQ(counted, 1000 * LENGTH);
    ez_order order = {.by = EZ_SORT_FIELD, .field = 0, .falling = true};
    CHECK_OK(context, ez_found_list(&found, context, index, NULL, &order, 10, 40, list, &n));
    CHECK_EQ(n, 40);
    for (uint32_t i = 0; i < n; i++) {
        CHECK(has_word(list[i], 7));
        CHECK_STR(ezlda_corpus_field_value(corpus, 0, list[i]), "1999");
        CHECK(!i || list[i] > list[i - 1]);
    }
    order = (ez_order){.by = EZ_SORT_TOPIC, .topic = 1};
    CHECK_OK(context, ez_found_list(&found, context, index, NULL, &order, 0, 40, list, &n));
    for (uint32_t i = 1; i < n; i++)
        CHECK(ez_rows_find(&model->doc_rows, list[i], 1) <=
              ez_rows_find(&model->doc_rows, list[i - 1], 1));
    CHECK_EQ(n, 40);
    ez_groups_free(&groups);
    ez_found_free(&found);
    ez_doc_index_free(index);
    ez_query_words_close(&words);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

/* ---- forged files ---- */

static void reseal(unsigned char *bytes, size_t n)
{
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    for (uint32_t i = 0; i < footer.sections; i++) {
        ez_section section;
        unsigned char *entry = bytes + footer.table_offset + i * sizeof section;
        memcpy(&section, entry, sizeof section);
        CHECK_OK(check_context(), ez_content_hash(&section.hash, check_context(),
                                                  bytes + section.offset, (size_t)section.bytes));
        memcpy(entry, &section, sizeof section);
    }
    footer.table_hash =
        ez_hash_bytes(bytes + footer.table_offset, footer.sections * sizeof(ez_section));
    footer.hash = ez_hash_bytes(&footer, offsetof(ez_footer, hash));
    memcpy(bytes + n - sizeof footer, &footer, sizeof footer);
}

/* Runs queries of all kinds; a sanitizer sees what wrong content would lead to. */
static void use_all(const ez_doc_index *index, ez_query_words *words)
{
    static const char *const queries[] = {"wa OR -wb", "\"wa wb\"", "year:1900..1950", "name:d3",
                                          "topic:1"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        ez_query query = {0};
        ez_found found;
        uint32_t list[8], n;
        bool good;
        CHECK_OK(check_context(),
                 ez_query_parse(&query, check_context(), index, words, queries[i], &good));
        CHECK(good);
        CHECK_OK(check_context(), ez_query_run(&found, check_context(), index, &query));
        for (int by = EZ_SORT_BEST; by <= EZ_SORT_TOPIC; by++) {
            ez_order order = {.by = (ez_sort)by};
            CHECK_OK(check_context(),
                     ez_found_list(&found, check_context(), index, &query, &order, 0, 8, list, &n));
        }
        ez_groups groups;
        ez_cell cell[64];
        CHECK_OK(check_context(), ez_groups_make(&groups, check_context(), index, 0, NULL));
        if (groups.n <= 64)
            CHECK_OK(check_context(),
                     ez_cross(check_context(), index, &found, &groups, NULL, 0, cell));
        ez_groups_free(&groups);
        ez_found_free(&found);
        ez_query_free(&query);
    }
}

TEST(forged_indices_are_refused_or_harmless)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = make_corpus(12, true);
    ezlda_model *model = make_model(corpus);
    const char *path = check_tmp("a.ezi"), *bad = check_tmp("bad.ezi");
    static unsigned char original[1 << 14], bytes[1 << 14];
    ez_doc_index *index;
    ez_query_words words;
    unsigned refused = 0, harmless = 0;
    ezlda_context_set_threads(context, 1);
    CHECK_OK(context, ez_query_words_open(&words, context, model));
    CHECK_OK(context, ez_doc_index_open(&index, context, model, corpus, path));
    ez_doc_index_free(index);
    FILE *file = fopen(path, "rb");
    size_t n = fread(original, 1, sizeof original, file);
    fclose(file);
    ez_footer footer;
    memcpy(&footer, original + n - sizeof footer, sizeof footer);
    for (size_t i = sizeof(ez_header) + 64; i < footer.table_offset; i += 3) {
        memcpy(bytes, original, n);
        bytes[i] ^= (unsigned char)(1u << i % 8);
        reseal(bytes, n);
        file = fopen(bad, "wb");
        CHECK(fwrite(bytes, 1, n, file) == n);
        fclose(file);
        if (ez_doc_index_open(&index, context, model, corpus, bad) != EZLDA_OK) {
            refused++;
            continue;
        }
        use_all(index, &words);
        harmless++;
        ez_doc_index_free(index);
    }
    CHECK(refused > 100);
    CHECK(harmless > 30);
    ezlda_context_set_threads(context, 0);
    ez_query_words_close(&words);
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

/* Swaps the documents that stand for two values of the first field. */
static void swap_values(unsigned char *bytes, size_t n, uint32_t a, uint32_t b)
{
    ez_footer footer;
    memcpy(&footer, bytes + n - sizeof footer, sizeof footer);
    for (uint32_t i = 0; i < footer.sections; i++) {
        ez_section section;
        memcpy(&section, bytes + footer.table_offset + i * sizeof section, sizeof section);
        if (section.tag != EZ_INDEX_HOLDERS)
            continue;
        uint32_t *holder = (uint32_t *)(void *)(bytes + section.offset), swap = holder[a];
        holder[a] = holder[b];
        holder[b] = swap;
    }
    reseal(bytes, n);
}

TEST(dates_of_a_forged_index_may_have_any_order)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = make_corpus(12, true);
    ezlda_model *model = make_model(corpus);
    const char *path = check_tmp("order.ezi");
    static _Alignas(8) unsigned char bytes[1 << 14];
    for (uint32_t other = 4; other < 12; other += 7) { /* in the middle, and the last */
        ez_doc_index *index;
        ez_groups groups;
        remove(path);
        CHECK_OK(context, ez_doc_index_open(&index, context, model, corpus, path));
        ez_doc_index_free(index);
        FILE *file = fopen(path, "rb");
        size_t n = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        swap_values(bytes, n, 0, other);
        file = fopen(path, "wb");
        CHECK(fwrite(bytes, 1, n, file) == n);
        fclose(file);
        CHECK_OK(context, ez_doc_index_open(&index, context, model, corpus, path));
        CHECK_OK(context, ez_groups_make(&groups, context, index, 0, "year"));
        CHECK(groups.n < 100);
        ez_groups_free(&groups);
        ez_doc_index_free(index);
    }
    ezlda_model_free(model);
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
