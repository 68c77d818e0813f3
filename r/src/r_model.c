/* Routines of models: load, save, export, and return facts, words, first words and documents. */
#include "r_ezlda.h"

#include <stddef.h>
#include <string.h>

static SEXP keep_model(const r_context *owner, ezlda_status status, SEXP holder, ezlda_model *model)
{
    if (status != EZLDA_OK)
        return r_failed(owner, status);
    R_SetExternalPtrAddr(holder, model);
    return holder;
}

SEXP r_model_load(SEXP context, SEXP path)
{
    r_context *owner = r_context_of(context);
    ezlda_model *model = NULL;
    SEXP holder = PROTECT(r_holder(R_MODEL));
    ezlda_status status = ezlda_model_load(&model, owner->context, r_path(path));
    SEXP result = keep_model(owner, status, holder, model);
    UNPROTECT(1);
    return result;
}

SEXP r_model_save(SEXP context, SEXP model, SEXP path)
{
    r_context *owner = r_context_of(context);
    ezlda_status status = ezlda_model_save(owner->context, r_model_of(model), r_path(path));
    return status == EZLDA_OK ? R_NilValue : r_failed(owner, status);
}

SEXP r_model_export(SEXP context, SEXP model, SEXP format, SEXP path, SEXP words, SEXP corpus)
{
    r_context *owner = r_context_of(context);
    const ezlda_model *of = r_model_of(model);
    ezlda_export_options options;
    ezlda_export_options_init(&options);
    options.words = (uint32_t)r_count(words, UINT32_MAX);
    options.corpus = r_corpus_or_null(corpus);
    ezlda_status status =
        ezlda_model_export(owner->context, of, r_path(format), r_path(path), &options);
    return status == EZLDA_OK ? R_NilValue : r_failed(owner, status);
}

SEXP r_model_from_mallet(SEXP context, SEXP path)
{
    r_context *owner = r_context_of(context);
    ezlda_model *model = NULL;
    ezlda_corpus *corpus = NULL;
    SEXP first = PROTECT(r_holder(R_MODEL)), second = PROTECT(r_holder(R_CORPUS));
    SEXP both = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(both, 0, first);
    SET_VECTOR_ELT(both, 1, second);
    ezlda_status status =
        ezlda_model_from_mallet_state(&model, &corpus, owner->context, r_path(path));
    R_SetExternalPtrAddr(first, model);
    R_SetExternalPtrAddr(second, corpus);
    UNPROTECT(3);
    return status == EZLDA_OK ? both : r_failed(owner, status);
}

/* ---- facts ---- */

static ezlda_model_info info_of(const ezlda_model *model)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    return info;
}

SEXP r_model_info(SEXP model)
{
    const ezlda_model *of = r_model_of(model);
    const ezlda_model_info info = info_of(of);
    char rules[256];
    ezlda_text_rules_describe(ezlda_model_text_rules(of), rules, sizeof rules);
    r_list facts;
    r_list_open(&facts, 24);
    r_list_number(&facts, "docs", (double)info.docs);
    r_list_number(&facts, "words", info.words);
    r_list_number(&facts, "tokens", (double)info.tokens);
    r_list_number(&facts, "topics", info.topics);
    r_list_number(&facts, "iterations", info.iterations);
    r_list_number(&facts, "seed", (double)info.seed);
    r_list_number(&facts, "alpha_sum", info.alpha_sum);
    r_list_number(&facts, "beta", info.beta);
    r_list_text(&facts, "estimator", info.estimator == EZLDA_ESCA ? "esca" : "leave-one-out");
    r_list_text(&facts, "start", info.start == EZLDA_START_RANDOM ? "random" : "keyword");
    r_list_number(&facts, "seconds_sampling", info.seconds_sampling);
    r_list_number(&facts, "skipped", info.skipped);
    r_list_number(&facts, "moved", info.moved);
    r_list_add(&facts, "topics_hash", r_hash(info.topics_hash));
    r_list_add(&facts, "corpus_hash", r_hash(info.corpus_hash));
    r_list_text(&facts, "device", info.device);
    r_list_number(&facts, "threads", info.threads);
    r_list_flag(&facts, "has_topics", info.has_topics != 0);
    r_list_text(&facts, "text_read_with", rules);
    r_list_number(&facts, "word_samples", info.word_samples);
    r_list_number(&facts, "chunks", info.chunks);
    r_list_number(&facts, "iterations_run", info.iterations_run);
    r_list_number(&facts, "seconds_checks", info.seconds_checks);
    r_list_text(&facts, "stopped", info.stopped);
    UNPROTECT(1);
    return facts.list;
}

/* The scores that the model keeps: a matrix of iteration, seconds and LLPT. */
SEXP r_model_history(SEXP model)
{
    const ezlda_model *of = r_model_of(model);
    size_t n = info_of(of).llpt_count;
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)n, 3));
    for (size_t i = 0; i < n; i++) {
        uint32_t iteration = 0;
        double seconds = 0, llpt = R_NaN;
        ezlda_model_llpt(of, i, &iteration, &seconds, &llpt);
        REAL(matrix)[i] = iteration;
        REAL(matrix)[n + i] = seconds;
        REAL(matrix)[2 * n + i] = llpt;
    }
    UNPROTECT(1);
    return matrix;
}

SEXP r_model_words(SEXP model)
{
    const ezlda_model *of = r_model_of(model);
    uint32_t n = info_of(of).words;
    SEXP words = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n));
    for (uint32_t w = 0; w < n; w++)
        SET_STRING_ELT(words, (R_xlen_t)w, Rf_mkCharCE(ezlda_model_word(of, w), CE_UTF8));
    UNPROTECT(1);
    return words;
}

SEXP r_model_names(SEXP model)
{
    const ezlda_model *of = r_model_of(model);
    uint64_t n = info_of(of).docs;
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n));
    for (uint64_t d = 0; d < n; d++)
        SET_STRING_ELT(names, (R_xlen_t)d, Rf_mkCharCE(ezlda_model_doc_name(of, d), CE_UTF8));
    UNPROTECT(1);
    return names;
}

/* what: "alpha", "topic_tokens", "word_tokens" or "doc_tokens". */
SEXP r_model_numbers(SEXP model, SEXP what)
{
    const ezlda_model *of = r_model_of(model);
    const ezlda_model_info info = info_of(of);
    const char *name = r_path(what);
    bool words = strcmp(name, "word_tokens") == 0, docs = strcmp(name, "doc_tokens") == 0;
    bool alpha = strcmp(name, "alpha") == 0;
    uint64_t n = words ? info.words : docs ? info.docs : info.topics;
    SEXP numbers = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n));
    for (uint64_t i = 0; i < n; i++)
        REAL(numbers)
    [i] = words   ? (double)ezlda_model_word_tokens(of, (uint32_t)i)
          : docs  ? (double)ezlda_model_doc_tokens(of, i)
          : alpha ? ezlda_model_alpha(of)[i]
                  : (double)ezlda_model_topic_tokens(of)[i];
    UNPROTECT(1);
    return numbers;
}

/* ---- first words and documents ---- */

/* The first n words of a topic (from 1) in an order, or its first n documents (order -1), with
 * numbers from 1. */
SEXP r_model_top(SEXP context, SEXP model, SEXP topic, SEXP order, SEXP lambda, SEXP n)
{
    r_context *owner = r_context_of(context);
    const ezlda_model *of = r_model_of(model);
    const ezlda_model_info info = info_of(of);
    int by = Rf_asInteger(order);
    uint32_t k = (uint32_t)Rf_asReal(topic) - 1;
    size_t room = r_count(n, by < 0 ? (double)info.docs : info.words), written = 0;
    ezlda_scored *scored = (ezlda_scored *)R_alloc(room + 1, sizeof *scored);
    ezlda_status status = by < 0
                              ? ezlda_model_top_docs(scored, room, &written, owner->context, of, k)
                              : ezlda_model_top_words(scored, room, &written, owner->context, of, k,
                                                      (ezlda_word_order)by, Rf_asReal(lambda));
    if (status != EZLDA_OK)
        return r_failed(owner, status);
    SEXP id = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)written));
    SEXP name = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)written));
    SEXP tokens = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)written));
    SEXP probability = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)written));
    SEXP score = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)written));
    for (size_t i = 0; i < written; i++) {
        const char *text = by < 0 ? ezlda_model_doc_name(of, scored[i].id)
                                  : ezlda_model_word(of, (uint32_t)scored[i].id);
        REAL(id)[i] = (double)scored[i].id + 1;
        SET_STRING_ELT(name, (R_xlen_t)i, Rf_mkCharCE(text ? text : "", CE_UTF8));
        REAL(tokens)[i] = (double)scored[i].count;
        REAL(probability)[i] = scored[i].probability;
        REAL(score)[i] = scored[i].score;
    }
    r_list list;
    r_list_open(&list, 5);
    r_list_add(&list, "id", id);
    r_list_add(&list, "name", name);
    r_list_add(&list, "tokens", tokens);
    r_list_add(&list, "probability", probability);
    r_list_add(&list, "score", score);
    UNPROTECT(6);
    return list.list;
}

/* ---- matrices ---- */

/* p(word | topic): topics by words. */
SEXP r_model_beta(SEXP model)
{
    const ezlda_model *of = r_model_of(model);
    const ezlda_model_info info = info_of(of);
    const uint64_t *sums = ezlda_model_sampled_tokens(of);
    double add = info.word_samples * info.beta;
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)info.topics, (int)info.words));
    double *all = (double *)R_alloc(info.topics, sizeof *all);
    uint32_t *topic = (uint32_t *)R_alloc(info.topics, sizeof *topic);
    uint32_t *count = (uint32_t *)R_alloc(info.topics, sizeof *count);
    for (uint32_t k = 0; k < info.topics; k++)
        all[k] = (double)sums[k] + add * info.words;
    for (uint32_t w = 0; w < info.words; w++) {
        double *column = REAL(matrix) + (size_t)w * info.topics;
        for (uint32_t k = 0; k < info.topics; k++)
            column[k] = add / all[k];
        size_t n = ezlda_model_sampled_topics(of, w, topic, count, info.topics);
        for (size_t j = 0; j < n; j++)
            column[topic[j]] = (count[j] + add) / all[topic[j]];
    }
    UNPROTECT(1);
    return matrix;
}

/* The topics' shares of the training documents: documents by topics. */
SEXP r_model_gamma(SEXP model)
{
    const ezlda_model *of = r_model_of(model);
    const ezlda_model_info info = info_of(of);
    const double *alpha = ezlda_model_alpha(of);
    size_t docs = (size_t)info.docs;
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)docs, (int)info.topics));
    double *out = REAL(matrix);
    uint32_t *topic = (uint32_t *)R_alloc(info.topics, sizeof *topic);
    uint32_t *count = (uint32_t *)R_alloc(info.topics, sizeof *count);
    for (size_t d = 0; d < docs; d++) {
        double all = (double)ezlda_model_doc_tokens(of, d) + info.alpha_sum;
        for (uint32_t k = 0; k < info.topics; k++)
            out[k * docs + d] = alpha[k] / all;
        size_t n = ezlda_model_doc_topics(of, d, topic, count, info.topics);
        for (size_t j = 0; j < n; j++)
            out[topic[j] * docs + d] = (count[j] + alpha[topic[j]]) / all;
    }
    UNPROTECT(1);
    return matrix;
}

/* The most probable topic (from 1) of each (document, word) pair of a corpus, in the order of
 * r_corpus_counts. words: number of each word of the corpus in the model, from 1, or NA. */
SEXP r_model_assign(SEXP corpus, SEXP gamma, SEXP beta, SEXP words)
{
    const ezlda_corpus *of = r_corpus_of(corpus);
    ezlda_corpus_info info = {.size = sizeof info};
    ezlda_corpus_get_info(of, &info);
    size_t topics = (size_t)Rf_nrows(beta), docs = (size_t)Rf_nrows(gamma), at = 0;
    SEXP best = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)info.pairs));
    uint32_t *buffer = (uint32_t *)R_alloc((size_t)2 * info.words + 1, sizeof *buffer);
    for (size_t d = 0; d < docs && d < info.docs; d++) {
        size_t n = ezlda_corpus_document(of, d, buffer, buffer + info.words, info.words);
        for (size_t i = 0; i < n && at < info.pairs; i++, at++) {
            int word = INTEGER(words)[buffer[i]];
            double most = -1;
            INTEGER(best)[at] = NA_INTEGER;
            for (size_t k = 0; word != NA_INTEGER && k < topics; k++) {
                double p = REAL(gamma)[k * docs + d] * REAL(beta)[(size_t)(word - 1) * topics + k];
                if (p > most) {
                    most = p;
                    INTEGER(best)[at] = (int)k + 1;
                }
            }
        }
    }
    UNPROTECT(1);
    return best;
}
