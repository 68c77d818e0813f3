/* Scores a model on a corpus, and matches the topics of two models. */
#include "r_ezlda.h"

#include <stddef.h>

#define EVAL(field, kind)                                                  \
    {                                                                      \
#field, R_OPTION_##kind, offsetof(ezlda_eval_options, field), NULL \
    }
const r_option r_eval_options[] = {
    EVAL(measures, U32),          EVAL(seed, U64),           EVAL(iterations, U32),
    EVAL(samples, U32),           EVAL(thin, U32),           EVAL(particles, U32),
    EVAL(resample, U32),          EVAL(docs, U64),           EVAL(words, U32),
    EVAL(npmi_window, U32),       EVAL(c_v_window, U32),     EVAL(device, TEXT),
    EVAL(device_memory, U64),     EVAL(whole_windows, FLAG), EVAL(doc_tokens, U64),
    {NULL, R_OPTION_U32, 0, NULL}};

static int interrupted(const ezlda_eval_progress *progress, void *user)
{
    (void)progress;
    return r_watch_interrupted(user);
}

static void add_perplexity(r_list *list, const char *name, const ezlda_perplexity *p)
{
    if (p->docs == 0)
        return;
    r_list one;
    r_list_open(&one, 7);
    r_list_number(&one, "docs", (double)p->docs);
    r_list_number(&one, "tokens", (double)p->tokens);
    r_list_number(&one, "log_likelihood", p->log_likelihood);
    r_list_number(&one, "perplexity", p->perplexity);
    r_list_number(&one, "error", p->error);
    r_list_number(&one, "unigram", p->unigram);
    r_list_number(&one, "unigram_error", p->unigram_error);
    r_list_add(list, name, one.list);
    UNPROTECT(1);
}

enum { TOPIC_COLUMNS = 7 };

/* A matrix with one row per topic: topic, u_mass, npmi, c_v, exclusivity, words, missing. */
static SEXP topic_table(const ezlda_scores *scores, uint32_t topics)
{
    ezlda_topic_scores one = {.size = sizeof one};
    if (!ezlda_scores_topic(scores, 0, &one))
        return R_NilValue;
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)topics, TOPIC_COLUMNS));
    for (uint32_t k = 0; k < topics && ezlda_scores_topic(scores, k, &one); k++) {
        const double row[TOPIC_COLUMNS] = {k + 1.0,         one.u_mass, one.npmi,   one.c_v,
                                           one.exclusivity, one.words,  one.missing};
        for (size_t j = 0; j < TOPIC_COLUMNS; j++)
            REAL(matrix)[j * topics + k] = row[j];
    }
    UNPROTECT(1);
    return matrix;
}

SEXP r_evaluate(SEXP context, SEXP model, SEXP corpus, SEXP options)
{
    r_context *owner = r_context_of(context);
    const ezlda_model *of = r_model_of(model);
    const ezlda_corpus *documents = r_corpus_of(corpus);
    ezlda_eval_options eval;
    ezlda_scores *scores = NULL;
    ezlda_scores_info info = {.size = sizeof info};
    r_watch watch;
    ezlda_eval_options_init(&eval);
    SEXP failure = r_options_read(options, r_eval_options, &eval);
    if (failure)
        return failure;
    r_watch_open(&watch, R_NilValue, 0, 0);
    eval.progress = interrupted;
    eval.user = &watch;
    SEXP holder = PROTECT(r_holder(R_SCORES));
    ezlda_status status = ezlda_evaluate(&scores, owner->context, of, documents, &eval);
    R_SetExternalPtrAddr(holder, scores);
    if (status != EZLDA_OK) {
        UNPROTECT(1);
        return r_failed(owner, status);
    }
    ezlda_scores_get_info(scores, &info);
    r_list result;
    r_list_open(&result, 20);
    r_list_flag(&result, "stopped", info.stopped != 0);
    r_list_flag(&result, "training_corpus", info.training_corpus != 0);
    r_list_number(&result, "docs", (double)info.docs);
    r_list_number(&result, "tokens", (double)info.tokens);
    r_list_number(&result, "unseen_tokens", (double)info.unseen_tokens);
    r_list_number(&result, "unknown_tokens", (double)info.unknown_tokens);
    r_list_number(&result, "words", info.words);
    r_list_number(&result, "unknown_words", info.unknown_words);
    r_list_number(&result, "llpt", info.llpt);
    r_list_number(&result, "u_mass", info.u_mass);
    r_list_number(&result, "npmi", info.npmi);
    r_list_number(&result, "c_v", info.c_v);
    r_list_number(&result, "diversity", info.diversity);
    r_list_number(&result, "exclusivity", info.exclusivity);
    r_list_number(&result, "npmi_window", info.npmi_window);
    r_list_number(&result, "c_v_window", info.c_v_window);
    r_list_text(&result, "device", info.device);
    add_perplexity(&result, "completion", &info.completion);
    add_perplexity(&result, "left_to_right", &info.left_to_right);
    r_list_add(&result, "topics", topic_table(scores, info.topics));
    r_release(holder, R_SCORES);
    UNPROTECT(2);
    return result.list;
}

/* ---- two models ---- */

/* The topics of one model without a partner, from 1. */
static SEXP alone_of(const ezlda_match *match, ezlda_match_side side, uint32_t n)
{
    const ezlda_lone_topic *lone = ezlda_match_alone(match, side);
    SEXP topics = Rf_allocVector(INTSXP, (R_xlen_t)n);
    for (uint32_t i = 0; i < n; i++)
        INTEGER(topics)[i] = (int)lone[i].topic + 1;
    return topics;
}

/* A matrix of pairs (a, b, similarity, shared words, Jaccard) and facts; topics from 1. */
SEXP r_match_models(SEXP context, SEXP a, SEXP b, SEXP threshold, SEXP words)
{
    r_context *owner = r_context_of(context);
    ezlda_match_options options;
    ezlda_match *match = NULL;
    ezlda_match_info info = {.size = sizeof info};
    const ezlda_model *first = r_model_of(a), *second = r_model_of(b);
    ezlda_match_options_init(&options);
    options.threshold = Rf_asReal(threshold);
    options.words = (uint32_t)r_count(words, UINT32_MAX);
    SEXP holder = PROTECT(r_holder(R_MATCH));
    ezlda_status status = ezlda_model_match(&match, owner->context, first, second, &options);
    R_SetExternalPtrAddr(holder, match);
    if (status != EZLDA_OK) {
        UNPROTECT(1);
        return r_failed(owner, status);
    }
    ezlda_match_get_info(match, &info);
    SEXP pairs = PROTECT(Rf_allocMatrix(REALSXP, (int)info.pairs, 5));
    const ezlda_topic_pair *pair = ezlda_match_pairs(match);
    for (uint32_t i = 0; i < info.pairs; i++) {
        const double row[5] = {pair[i].a + 1.0, pair[i].b + 1.0, pair[i].similarity,
                               pair[i].shared_words, pair[i].jaccard};
        for (size_t j = 0; j < 5; j++)
            REAL(pairs)[j * info.pairs + i] = row[j];
    }
    r_list result;
    r_list_open(&result, 5);
    r_list_add(&result, "pairs", pairs);
    r_list_number(&result, "mean_similarity", info.mean_similarity);
    r_list_number(&result, "words_common", info.words_common);
    r_list_add(&result, "alone_a", alone_of(match, EZLDA_OF_A, info.alone_a));
    r_list_add(&result, "alone_b", alone_of(match, EZLDA_OF_B, info.alone_b));
    r_release(holder, R_MATCH);
    UNPROTECT(3);
    return result.list;
}
