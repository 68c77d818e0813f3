/* Fuzzes queries over a small index with all kinds of fields: what is parsed runs, in each order.
 */
#include "fuzz_file.h"

#include "report/search/query.h"
#include "report/search/result_tables.h"

#include <string.h>

static const char lines[] = "{\"id\": \"a\", \"text\": \"river boat river\", \"year\": \"1990\", "
                            "\"day\": \"1999-05-02\", \"place\": \"New York\"}\n"
                            "{\"id\": \"b\", \"text\": \"boat harbour\", \"year\": \"-2.5\", "
                            "\"day\": \"2001-01\", \"place\": \"\"}\n"
                            "{\"id\": \"c\", \"text\": \"court of law\", \"year\": \"\", \"day\": "
                            "\"\", \"place\": \"Oslo\"}\n";

static ez_doc_index *open_index(ezlda_context *context, ez_query_words *words)
{
    static ez_doc_index *index;
    static ezlda_model *model;
    static ezlda_corpus *corpus;
    if (index) {
        fuzz_claim(ez_query_words_open(words, context, model) == EZLDA_OK, "there are words");
        return index;
    }
    const char *path = fuzz_file(lines, sizeof lines - 1);
    ezlda_import_options import;
    ezlda_train_options train;
    ezlda_import_options_init(&import);
    import.format = "jsonl";
    import.keep_fields = "year,day,place";
    import.keep_text = 1;
    ezlda_train_options_init(&train);
    train.topics = 2;
    train.iterations = 3;
    train.device = "cpu";
    fuzz_claim(ezlda_corpus_read(&corpus, context, &path, 1, &import) == EZLDA_OK,
               "there is a corpus");
    fuzz_claim(ezlda_train(&model, context, corpus, &train) == EZLDA_OK, "there is a model");
    fuzz_claim(ez_doc_index_open(&index, context, model, corpus, NULL) == EZLDA_OK,
               "there is an index");
    fuzz_claim(ez_query_words_open(words, context, model) == EZLDA_OK, "there are words");
    return index;
}

static void list_all(ezlda_context *context, const ez_doc_index *index, const ez_query *query,
                     const ez_found *found)
{
    uint32_t doc[4], n;
    for (int by = EZ_SORT_BEST; by <= EZ_SORT_TOPIC; by++) {
        ez_order order = {
            .by = (ez_sort)by, .field = 1, .topic = 1, .falling = by == EZ_SORT_FIELD};
        fuzz_claim(ez_found_list(found, context, index, query, &order, 0, 4, doc, &n) == EZLDA_OK &&
                       n <= found->docs,
                   "a list has what was found");
        for (uint32_t i = 0; i < n; i++)
            fuzz_claim(doc[i] < 3 && ez_found_has(found, doc[i]), "a listed document was found");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ez_query_words words;
    static ez_doc_index *index;
    ezlda_context *context = fuzz_context();
    char text[EZ_QUERY_BYTES + 100];
    ez_query query = {0};
    ez_found found = {0};
    bool good;
    if (!index)
        index = open_index(context, &words);
    if (size >= sizeof text || memchr(data, '\0', size))
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    fuzz_claim(ez_query_parse(&query, context, index, &words, text, &good) == EZLDA_OK,
               "a query is parsed");
    fuzz_claim(good == (*query.fault == '\0'), "a query is good or says what is wrong");
    if (good) {
        fuzz_claim(ez_query_run(&found, context, index, &query) == EZLDA_OK && found.docs <= 3,
                   "a query runs");
        list_all(context, index, &query, &found);
    }
    ez_found_free(&found);
    ez_query_free(&query);
    return 0;
}
