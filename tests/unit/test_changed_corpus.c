/* A mapped corpus that is overwritten in place while it is in use: one message, and no read outside
 * the file (the build with sanitizers would report it). Training:
 * tests/cli/test_out_of_core.py. */
#include "check.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char MESSAGE[] = "c.ezc: was written to while it was in use; what it held is lost";

typedef struct written {
    const char *path;
    unsigned seed, bytes; /* how many of them change */
    ezlda_corpus *corpus;
    ezlda_model *model;
} written;

/* Documents of 5 blocks, and a model of them. */
static void written_open(written *w)
{
    ezlda_context *context = check_context();
    ezlda_synth_options synth;
    ezlda_train_options train;
    ezlda_corpus *made = NULL;
    ezlda_synth_options_init(&synth);
    ezlda_train_options_init(&train);
    synth.docs = 1200;
    synth.words = 300;
    synth.mean_length = 40;
    train.topics = 5;
    train.iterations = 2;
    train.device = "cpu";
    w->path = check_tmp("c.ezc");
    CHECK_OK(context, ezlda_corpus_synth(&made, context, &synth));
    CHECK_OK(context, ezlda_corpus_save(context, made, w->path));
    ezlda_corpus_free(made);
    CHECK_OK(context, ezlda_corpus_read(&w->corpus, context, &w->path, 1, NULL));
    CHECK_OK(context, ezlda_train(&w->model, context, w->corpus, &train));
}

static void written_close(written *w)
{
    ezlda_model_free(w->model);
    ezlda_corpus_free(w->corpus);
}

/* Changes bits anywhere but in the first bytes, and the time of the file. */
static void write_to(written *w)
{
    struct stat info;
    int file = open(w->path, O_RDWR | O_CLOEXEC);
    CHECK(file >= 0 && fstat(file, &info) == 0);
    srandom(w->seed);
    for (unsigned i = 0; i < w->bytes; i++) {
        off_t at = 64 + random() % (info.st_size - 64);
        unsigned char byte = 0;
        CHECK_EQ(pread(file, &byte, 1, at), 1);
        byte ^= (unsigned char)(1 << random() % 8);
        CHECK_EQ(pwrite(file, &byte, 1, at), 1);
    }
    CHECK_EQ(futimens(file, (const struct timespec[2]){{1, 0}, {1, 0}}), 0);
    close(file);
    w->bytes = 0;
}

static int write_after_a_batch(const ezlda_infer_progress *progress, void *user)
{
    (void)progress;
    write_to(user);
    return 0;
}

static int write_before_documents(const ezlda_eval_progress *progress, void *user)
{
    (void)progress;
    write_to(user);
    return 0;
}

static int ignore_row(const ezlda_doc_row *row, void *user)
{
    (void)row;
    (void)user;
    return 0;
}

TEST(inference_ends)
{
    ezlda_context *context = check_context();
    for (unsigned seed = 1; seed <= 12; seed++) {
        written w = {.seed = seed, .bytes = seed % 3 ? 2000 : 1};
        ezlda_infer_options options;
        ezlda_infer_options_init(&options);
        written_open(&w);
        options.iterations = 5;
        options.batch = 1000;
        options.device = "cpu";
        options.progress = write_after_a_batch;
        options.user = &w;
        CHECK_FAILS(context,
                    ezlda_infer(NULL, context, w.model, w.corpus, &options, ignore_row, NULL),
                    MESSAGE);
        written_close(&w);
    }
}

TEST(evaluation_ends)
{
    static const unsigned measures[] = {EZLDA_MEASURE_LLPT, EZLDA_MEASURE_COMPLETION,
                                        EZLDA_MEASURE_LEFT_TO_RIGHT};
    ezlda_context *context = check_context();
    for (unsigned seed = 1; seed <= 12; seed++) {
        written w = {.seed = seed, .bytes = seed % 2 ? 2000 : 1};
        ezlda_eval_options options;
        ezlda_scores *scores = NULL;
        ezlda_eval_options_init(&options);
        written_open(&w);
        options.iterations = 5;
        options.particles = 2;
        options.measures = measures[seed % 3];
        options.device = "cpu";
        options.progress = write_before_documents;
        options.user = &w;
        CHECK_FAILS(context, ezlda_evaluate(&scores, context, w.model, w.corpus, &options),
                    MESSAGE);
        CHECK(scores == NULL);
        ezlda_scores_free(scores);
        written_close(&w);
    }
}

/* What is returned of a document: existing words, within the caller's array. */
TEST(single_documents_stay_within)
{
    for (unsigned seed = 1; seed <= 12; seed++) {
        written w = {.seed = seed, .bytes = 3000};
        uint32_t word[64], count[64];
        ezlda_corpus_info info = {.size = sizeof info};
        written_open(&w);
        ezlda_corpus_get_info(w.corpus, &info);
        write_to(&w);
        for (uint64_t doc = 0; doc < info.docs; doc++) {
            size_t n = ezlda_corpus_document(w.corpus, doc, word, count, 64);
            for (size_t i = 0; i < n && i < 64; i++)
                CHECK(word[i] < info.words);
        }
        written_close(&w);
    }
}

TEST_MAIN()
