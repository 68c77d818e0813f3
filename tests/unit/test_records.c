/* A corpus from records in memory is the corpus from the same records in a file. */
#include "check.h"

enum { RECORDS = 30000, FIELDS = 3 };

static const char *const fields[FIELDS] = {"year", "text", "name"};

/* Hands over `batch` records at a time; the values are overwritten at the next call. */
typedef struct feed {
    uint64_t batch, next, end;
    uint64_t stop_at; /* fails there; 0: nowhere */
    uint64_t bad;     /* this record is not UTF-8; UINT64_MAX: none */
    ezlda_text *values;
    char (*room)[FIELDS][128];
} feed;

static void record_text(uint64_t i, char *year, char *text, char *name)
{
    static const char *const words[] = {"amber", "birch", "cedar", "delta", "ember", "fjord",
                                        "grove", "house", "inlet", "joule", "knoll"};
    int used = 0;
    for (uint64_t j = 0; j < i % 7; j++)
        used += snprintf(text + used, 128 - (size_t)used, "%s ", words[(i * 31 + j * j) % 11]);
    text[used] = '\0';
    snprintf(year, 128, "%u", 1990 + (unsigned)(i % 30));
    snprintf(name, 128, "doc-%u", (unsigned)i);
}

static int next_records(ezlda_records *out, void *user)
{
    feed *f = user;
    uint64_t n = f->end - f->next < f->batch ? f->end - f->next : f->batch;
    if (f->stop_at && f->next >= f->stop_at)
        return 1;
    for (uint64_t i = 0; i < n; i++, f->next++) {
        record_text(f->next, f->room[i][0], f->room[i][1], f->room[i][2]);
        if (f->next == f->bad)
            memcpy(f->room[i][1], "bad \xff", 6);
        for (int c = 0; c < FIELDS; c++)
            f->values[i * FIELDS + (uint64_t)c] =
                (ezlda_text){f->room[i][c], strlen(f->room[i][c])};
    }
    *out = (ezlda_records){n, f->values};
    return 0;
}

static feed make_feed(uint64_t batch)
{
    feed f = {.batch = batch, .end = RECORDS, .bad = UINT64_MAX};
    f.values = calloc(batch * FIELDS, sizeof *f.values);
    f.room = calloc(batch, sizeof *f.room);
    return f;
}

static ezlda_status read_feed(ezlda_corpus **out, feed *f, const ezlda_import_options *options)
{
    ezlda_status status =
        ezlda_corpus_from_records(out, check_context(), fields, FIELDS, options, next_records, f);
    free(f->values);
    free(f->room);
    return status;
}

static ezlda_corpus *read_file(const ezlda_import_options *options)
{
    char year[128], text[128], name[128];
    const char *path = check_tmp("records.jsonl");
    FILE *file = fopen(path, "w");
    for (uint64_t i = 0; i < RECORDS; i++) {
        record_text(i, year, text, name);
        fprintf(file, "{\"year\": \"%s\", \"text\": \"%s\", \"name\": \"%s\"}\n", year, text, name);
    }
    fclose(file);
    ezlda_corpus *out = NULL;
    CHECK_OK(check_context(), ezlda_corpus_read(&out, check_context(), &path, 1, options));
    return out;
}

static void check_same(const ezlda_corpus *a, const ezlda_corpus *b)
{
    ezlda_corpus_info x = {.size = sizeof x}, y = {.size = sizeof y};
    ezlda_corpus_get_info(a, &x);
    ezlda_corpus_get_info(b, &y);
    CHECK_EQ(x.hash, y.hash);
    CHECK_EQ(x.docs, y.docs);
    CHECK_EQ(x.fields, y.fields);
    for (uint32_t f = 0; f < x.fields; f++) {
        CHECK_STR(ezlda_corpus_field(a, f), ezlda_corpus_field(b, f));
        for (uint64_t d = 0; d < x.docs; d += 999)
            CHECK_STR(ezlda_corpus_field_value(a, f, d), ezlda_corpus_field_value(b, f, d));
    }
}

TEST(as_from_a_file)
{
    static const uint64_t batches[] = {1, 7, 4096, RECORDS};
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.keep_fields = "year";
    options.stopwords = "none";
    ezlda_corpus *file = read_file(&options);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        ezlda_corpus *corpus = NULL;
        feed f = make_feed(batches[i]);
        ezlda_context_set_threads(check_context(), i % 2 ? 4 : 1);
        CHECK_OK(check_context(), read_feed(&corpus, &f, &options));
        check_same(corpus, file);
        ezlda_corpus_free(corpus);
    }
    ezlda_context_set_threads(check_context(), 0);
    ezlda_corpus_free(file);
}

static const ezlda_text odd_values[] = {{"a\0long\0text", 11}, {NULL, 0}, {"", 0}, {"text", 4}};

static int odd_records(ezlda_records *out, void *user)
{
    uint64_t *calls = user;
    *out = (ezlda_records){*calls == 0 ? 4 : 0, odd_values};
    ++*calls;
    return 0;
}

TEST(odd_values_of_text)
{
    static const char *const text[] = {"text"};
    ezlda_corpus *corpus = NULL;
    ezlda_corpus_info info = {.size = sizeof info};
    uint64_t calls = 0;
    CHECK_OK(check_context(), ezlda_corpus_from_records(&corpus, check_context(), text, 1, NULL,
                                                        odd_records, &calls));
    ezlda_corpus_get_info(corpus, &info);
    CHECK_EQ(calls, 2);
    CHECK_EQ(info.docs, 4);
    CHECK_EQ(info.empty_docs, 2);
    CHECK_STR(ezlda_corpus_word(corpus, 0), "text");
    CHECK_STR(ezlda_corpus_word(corpus, 1), "long");
    ezlda_corpus_free(corpus);
}

TEST(what_is_wrong_is_named)
{
    ezlda_context *context = check_context();
    ezlda_corpus *corpus = NULL;
    ezlda_import_options options;
    feed f = make_feed(100);
    f.bad = 28999; /* not in the first block */
    CHECK_EQ(read_feed(&corpus, &f, NULL), EZLDA_ERROR_FORMAT);
    CHECK(strstr(ezlda_error_message(context), "records:29000: expected UTF-8") != NULL);
    CHECK(corpus == NULL);
    f = make_feed(100);
    f.stop_at = 500;
    CHECK_EQ(read_feed(&corpus, &f, NULL), EZLDA_ERROR_STOPPED);
    f = make_feed(100);
    f.end = 0;
    CHECK_EQ(read_feed(&corpus, &f, NULL), EZLDA_ERROR_FORMAT);
    CHECK_STR(ezlda_error_message(context), "records: no documents");
    ezlda_import_options_init(&options);
    options.text_field = "body";
    f = make_feed(100);
    CHECK_EQ(read_feed(&corpus, &f, &options), EZLDA_ERROR_FORMAT);
    CHECK(strstr(ezlda_error_message(context), "no record has a field \"body\"") != NULL);
    ezlda_import_options_init(&options);
    options.format = "csv";
    f = make_feed(100);
    CHECK_EQ(read_feed(&corpus, &f, &options), EZLDA_ERROR_ARGUMENT);
    ezlda_import_options_init(&options);
    options.encoding = "latin1";
    f = make_feed(100);
    CHECK_EQ(read_feed(&corpus, &f, &options), EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_corpus_from_records(&corpus, context, fields, FIELDS, NULL, NULL, NULL),
             EZLDA_ERROR_ARGUMENT);
    CHECK_EQ(ezlda_corpus_from_records(NULL, context, fields, FIELDS, NULL, next_records, &f),
             EZLDA_ERROR_ARGUMENT);
}

TEST_MAIN()
