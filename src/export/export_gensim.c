/* Exports a folder that gensim's LdaModel.load opens: `model` and the files beside it, as
 * LdaModel.save writes them.
 *
 * gensim keeps lambda = eta + sstats for each topic and word. With eta = beta and sstats = W, its
 * p(word | topic) is the same as ours. All arrays are .npy files of their own (gensim loads those
 * named in __numpys), so that no pickle holds NumPy objects, which may change between versions. */
#include "base/files/output_folder.h"
#include "corpus/corpus.h"
#include "corpus/text/string_table.h"
#include "export/export.h"
#include "export/npy_array.h"
#include "export/pickle_writer.h"
#include "numeric/digamma.h"

#include <string.h>

#define EZ_GENSIM_MODELS "gensim.models.ldamodel"

enum { EZ_PSI_TABLE = 4096 };

typedef struct gensim_writer {
    const ezlda_model *model;
    const ezlda_corpus *corpus; /* or NULL */
    ezlda_context *context;
    ez_folder *folder;
    const ez_topic_index *by_topic;
    double psi[EZ_PSI_TABLE]; /* psi(count + beta), by count */
} gensim_writer;

/* ---- arrays ---- */

static void fill_alpha(const void *user, uint64_t first, uint64_t n, void *out)
{
    const gensim_writer *writer = user;
    float *alpha = out;
    for (uint64_t i = 0; i < n; i++)
        alpha[i] = (float)writer->model->alpha[first + i];
}

static void fill_eta(const void *user, uint64_t first, uint64_t n, void *out)
{
    const gensim_writer *writer = user;
    float *eta = out;
    (void)first;
    for (uint64_t i = 0; i < n; i++)
        eta[i] = (float)writer->model->phi.beta;
}

/* Rows of W by topic, dense. */
static void fill_sstats(const void *user, uint64_t first, uint64_t n, void *out)
{
    const gensim_writer *writer = user;
    const ez_topic_index *index = writer->by_topic;
    size_t words = writer->model->meta->words;
    float *row = out;
    memset(out, 0, n * words * sizeof *row);
    for (uint32_t k = (uint32_t)first; k < first + n; k++, row += words)
        for (uint64_t i = index->start[k]; i < index->start[k + 1]; i++)
            row[index->row[i]] = (float)ez_index_count(index, i, &writer->model->phi.rows, k);
}

static double psi_of(const gensim_writer *writer, uint32_t count)
{
    return count < EZ_PSI_TABLE ? writer->psi[count] : ez_digamma(count + writer->model->phi.beta);
}

/* exp(E[log beta]) = exp(psi(lambda) - psi(sum of lambda)). */
static void fill_exp_e_log_beta(const void *user, uint64_t first, uint64_t n, void *out)
{
    const gensim_writer *writer = user;
    const ez_topic_index *index = writer->by_topic;
    size_t words = writer->model->meta->words;
    float *row = out;
    for (uint32_t k = (uint32_t)first; k < first + n; k++, row += words) {
        double total = ez_digamma(ez_phi_total(&writer->model->phi, k));
        float none = (float)exp(psi_of(writer, 0) - total);
        for (size_t v = 0; v < words; v++)
            row[v] = none;
        for (uint64_t i = index->start[k]; i < index->start[k + 1]; i++)
            row[index->row[i]] = (float)exp(
                psi_of(writer, ez_index_count(index, i, &writer->model->phi.rows, k)) - total);
    }
}

static ezlda_status write_arrays(gensim_writer *writer)
{
    uint64_t topics = writer->model->meta->topics, words = writer->model->meta->words;
    const ez_npy arrays[] = {
        {"model.alpha.npy", "<f4", 4, 1, {topics, 0}, fill_alpha, writer},
        {"model.eta.npy", "<f4", 4, 1, {words, 0}, fill_eta, writer},
        {"model.state.eta.npy", "<f4", 4, 1, {words, 0}, fill_eta, writer},
        {"model.expElogbeta.npy",
         "<f4",
         words * 4,
         2,
         {topics, words},
         fill_exp_e_log_beta,
         writer},
        {"model.state.sstats.npy", "<f4", words * 4, 2, {topics, words}, fill_sstats, writer},
    };
    for (uint32_t c = 0; c < EZ_PSI_TABLE; c++)
        writer->psi[c] = ez_digamma(c + writer->model->phi.beta);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const char *path;
        EZ_TRY(ez_folder_file(writer->folder, writer->context, arrays[i].name, &path));
        EZ_TRY(ez_npy_save(writer->context, path, &arrays[i]));
    }
    return EZLDA_OK;
}

/* ---- objects ---- */

static void put_int(ez_pickle *pickle, const char *name, int64_t value)
{
    ez_pickle_string(pickle, name);
    ez_pickle_int(pickle, value);
}

static void put_float(ez_pickle *pickle, const char *name, double value)
{
    ez_pickle_string(pickle, name);
    ez_pickle_float(pickle, value);
}

static void put_bool(ez_pickle *pickle, const char *name, bool value)
{
    ez_pickle_string(pickle, name);
    ez_pickle_bool(pickle, value);
}

static void put_none(ez_pickle *pickle, const char *name)
{
    ez_pickle_string(pickle, name);
    ez_pickle_none(pickle);
}

static void put_dtype(ez_pickle *pickle)
{
    ez_pickle_string(pickle, "dtype");
    ez_pickle_begin_call(pickle, "numpy", "dtype");
    ez_pickle_string(pickle, "float32");
    ez_pickle_end_call(pickle);
}

/* Writes gensim's lists of attributes that are not in the pickle. */
static void put_specials(ez_pickle *pickle, const char *const *numpys, const char *const *ignoreds)
{
    static const char *const none[] = {NULL};
    ez_pickle_string(pickle, "__numpys");
    ez_pickle_strings(pickle, numpys);
    ez_pickle_string(pickle, "__ignoreds");
    ez_pickle_strings(pickle, ignoreds);
    ez_pickle_string(pickle, "__scipys");
    ez_pickle_strings(pickle, none);
    ez_pickle_string(pickle, "__recursive_saveloads");
    ez_pickle_strings(pickle, none);
}

/* Training continues (LdaModel.update) and inference runs with gensim's own defaults. */
static void put_settings(ez_pickle *pickle)
{
    put_int(pickle, "chunksize", 2000);
    put_int(pickle, "passes", 1);
    put_int(pickle, "update_every", 1);
    put_int(pickle, "eval_every", 10);
    put_int(pickle, "iterations", 50);
    put_int(pickle, "numworkers", 1);
    put_float(pickle, "decay", 0.5);
    put_float(pickle, "offset", 1);
    put_float(pickle, "gamma_threshold", 0.001);
    put_float(pickle, "minimum_probability", 0.01);
    put_float(pickle, "minimum_phi_value", 0.01);
    put_bool(pickle, "per_word_topics", false);
    put_bool(pickle, "optimize_alpha", false);
    put_bool(pickle, "optimize_eta", false);
    put_bool(pickle, "distributed", false);
    put_none(pickle, "callbacks");
}

static ezlda_status write_model(gensim_writer *writer, const char *path)
{
    static const char *const numpys[] = {"alpha", "eta", "expElogbeta", NULL};
    static const char *const ignoreds[] = {"state", "dispatcher", "id2word", NULL};
    const ez_model_meta *meta = writer->model->meta;
    ez_pickle pickle;
    EZ_TRY(ez_pickle_open(&pickle, writer->context, path));
    ez_pickle_begin_object(&pickle, EZ_GENSIM_MODELS, "LdaModel");
    put_int(&pickle, "num_topics", meta->topics);
    put_int(&pickle, "num_terms", meta->words);
    put_int(&pickle, "num_updates", (int64_t)meta->docs);
    put_settings(&pickle);
    put_dtype(&pickle);
    ez_pickle_string(&pickle, "random_state");
    ez_pickle_begin_call(&pickle, "numpy.random", "RandomState");
    ez_pickle_int(&pickle, (int64_t)(meta->seed & UINT32_MAX));
    ez_pickle_end_call(&pickle);
    put_specials(&pickle, numpys, ignoreds);
    ez_pickle_end_object(&pickle);
    return ez_pickle_close(&pickle);
}

static ezlda_status write_state(gensim_writer *writer, const char *path)
{
    static const char *const numpys[] = {"eta", "sstats", NULL}, *const ignoreds[] = {NULL};
    ez_pickle pickle;
    EZ_TRY(ez_pickle_open(&pickle, writer->context, path));
    ez_pickle_begin_object(&pickle, EZ_GENSIM_MODELS, "LdaState");
    put_int(&pickle, "numdocs", (int64_t)writer->model->meta->docs);
    put_dtype(&pickle);
    put_specials(&pickle, numpys, ignoreds);
    ez_pickle_end_object(&pickle);
    return ez_pickle_close(&pickle);
}

/* ---- the dictionary ---- */

/* Counts the documents that hold each word; this needs the corpus. */
static ezlda_status count_documents(const ezlda_corpus *corpus, ezlda_context *context,
                                    uint32_t *documents)
{
    uint32_t row_start[EZ_CORPUS_BLOCK + 1], *room = NULL;
    uint64_t most = 0;
    for (uint64_t b = 0; b < ez_corpus_blocks(corpus); b++) {
        uint64_t pairs = ez_corpus_pairs_before(corpus, b + 1) - ez_corpus_pairs_before(corpus, b);
        most = pairs > most ? pairs : most;
    }
    EZ_TRY(ez_array(&room, context, ez_product(2, most), sizeof *room, "a block of documents"));
    for (uint64_t b = 0; b < ez_corpus_blocks(corpus); b++) {
        uint32_t docs = ez_corpus_decode(corpus, b, row_start, room, room + most);
        for (uint32_t i = 0; i < row_start[docs]; i++)
            documents[room[i]]++;
    }
    ez_free(room);
    return EZLDA_OK;
}

/* The dictionary maps words to numbers, so no word may occur twice. */
static ezlda_status check_words(const gensim_writer *writer)
{
    ez_strings seen = {0};
    ezlda_status status = EZLDA_OK;
    for (uint32_t v = 0; v < writer->model->meta->words && status == EZLDA_OK; v++) {
        const char *word = ez_column_at(&writer->model->words, v);
        uint32_t first;
        bool added;
        status = ez_strings_add(&seen, writer->context, word, strlen(word), &first, &added);
        if (status == EZLDA_OK && !added)
            status = ez_fail(writer->context, EZLDA_ERROR_ARGUMENT,
                             "gensim's dictionary has every word once, but words %u and %u of the "
                             "model are both '%s'",
                             first, v, word);
    }
    ez_strings_free(&seen);
    return status;
}

static void put_token2id(ez_pickle *pickle, const ezlda_model *model)
{
    ez_pickle_string(pickle, "token2id");
    ez_pickle_begin_dict(pickle);
    for (uint32_t v = 0; v < model->meta->words; v++)
        put_int(pickle, ez_column_at(&model->words, v), v);
    ez_pickle_end_dict(pickle);
    ez_pickle_string(pickle, "id2token"); /* gensim makes it on first use */
    ez_pickle_begin_dict(pickle);
    ez_pickle_end_dict(pickle);
}

static void put_frequencies(ez_pickle *pickle, const ezlda_model *model, const uint32_t *documents)
{
    ez_pickle_string(pickle, "cfs");
    ez_pickle_begin_dict(pickle);
    for (uint32_t v = 0; v < model->meta->words; v++) {
        ez_pickle_int(pickle, v);
        ez_pickle_int(pickle, (int64_t)model->word_tokens[v]);
    }
    ez_pickle_end_dict(pickle);
    ez_pickle_string(pickle, "dfs");
    ez_pickle_begin_dict(pickle);
    for (uint32_t v = 0; documents && v < model->meta->words; v++) {
        ez_pickle_int(pickle, v);
        ez_pickle_int(pickle, documents[v]);
    }
    ez_pickle_end_dict(pickle);
}

static ezlda_status write_dictionary(gensim_writer *writer, const char *path,
                                     const uint32_t *documents, uint64_t pairs)
{
    const ez_model_meta *meta = writer->model->meta;
    ez_pickle pickle;
    EZ_TRY(ez_pickle_open(&pickle, writer->context, path));
    ez_pickle_begin_object(&pickle, "gensim.corpora.dictionary", "Dictionary");
    put_token2id(&pickle, writer->model);
    put_frequencies(&pickle, writer->model, documents);
    put_int(&pickle, "num_docs", (int64_t)meta->docs);
    put_int(&pickle, "num_pos", (int64_t)meta->tokens);
    put_int(&pickle, "num_nnz", (int64_t)pairs);
    ez_pickle_end_object(&pickle);
    return ez_pickle_close(&pickle);
}

static ezlda_status write_words(gensim_writer *writer, const char *path)
{
    if (!writer->corpus)
        return write_dictionary(writer, path, NULL, 0);
    ez_corpus_sizes sizes;
    uint32_t *documents;
    ez_corpus_sizes_of(writer->corpus, &sizes);
    EZ_TRY(ez_array_zero(&documents, writer->context, sizes.words, sizeof *documents,
                         "document frequencies"));
    ezlda_status status = count_documents(writer->corpus, writer->context, documents);
    if (status == EZLDA_OK)
        status = write_dictionary(writer, path, documents, sizes.pairs);
    ez_free(documents);
    return status;
}

/* ---- all of it ---- */

static ezlda_status write_all(gensim_writer *writer)
{
    const char *path;
    EZ_TRY(check_words(writer));
    EZ_TRY(ez_model_index(writer->model, writer->context, EZ_INDEX_WORDS, &writer->by_topic));
    EZ_TRY(write_arrays(writer));
    EZ_TRY(ez_folder_file(writer->folder, writer->context, "model.id2word", &path));
    EZ_TRY(write_words(writer, path));
    EZ_TRY(ez_folder_file(writer->folder, writer->context, "model.state", &path));
    EZ_TRY(write_state(writer, path));
    EZ_TRY(ez_folder_file(writer->folder, writer->context, "model", &path));
    return write_model(writer, path);
}

ezlda_status ez_export_gensim(const ez_export *what)
{
    static const char *const names[] = {"model",
                                        "model.alpha.npy",
                                        "model.eta.npy",
                                        "model.expElogbeta.npy",
                                        "model.id2word",
                                        "model.state",
                                        "model.state.eta.npy",
                                        "model.state.sstats.npy",
                                        NULL};
    gensim_writer writer = {.model = what->model, .corpus = what->corpus, .context = what->context};
    EZ_TRY(ez_folder_open(&writer.folder, what->context, what->path, names));
    ezlda_status status = write_all(&writer);
    if (status == EZLDA_OK)
        return ez_folder_commit(writer.folder, what->context);
    ez_folder_abandon(writer.folder);
    return status;
}
