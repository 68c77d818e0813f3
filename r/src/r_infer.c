/* Infers the topics of new documents. */
#include "r_ezlda.h"

#include <stddef.h>

#define INFER(field, kind)                                                  \
    {                                                                       \
#field, R_OPTION_##kind, offsetof(ezlda_infer_options, field), NULL \
    }
const r_option r_infer_options[] = {INFER(iterations, U32), INFER(samples, U32),
                                    INFER(thin, U32),       INFER(seed, U64),
                                    INFER(device, TEXT),    INFER(device_memory, U64),
                                    INFER(batch, U64),      {NULL, R_OPTION_U32, 0, NULL}};

typedef struct target {
    r_watch watch;
    const ezlda_model *model;
    double *out; /* documents by topics, by columns */
    double *row; /* one number per topic */
    size_t docs, topics;
    bool weights; /* return count + alpha, not divided by their sum */
    double alpha_sum;
} target;

static int receive_row(const ezlda_doc_row *row, void *user)
{
    target *t = user;
    ezlda_doc_row_shares(t->model, row, t->row);
    double all = t->weights ? (double)row->tokens + t->alpha_sum : 1.0;
    for (size_t k = 0; k < t->topics; k++)
        t->out[k * t->docs + row->doc] = t->row[k] * all;
    return 0;
}

static int after_batch(const ezlda_infer_progress *progress, void *user)
{
    target *t = user;
    if (r_watch_interrupted(&t->watch))
        return 1;
    if (!r_watch_due(&t->watch) && !(t->watch.call && progress->docs_done == progress->docs))
        return 0;
    t->watch.figures[0] = (double)progress->docs_done;
    t->watch.figures[1] = (double)progress->docs;
    return r_watch_stops(&t->watch);
}

/* weights: whether to return counts plus alpha instead of shares. */
SEXP r_infer(SEXP context, SEXP model, SEXP corpus, SEXP options, SEXP weights, SEXP progress)
{
    r_context *owner = r_context_of(context);
    const ezlda_corpus *documents = r_corpus_of(corpus);
    target t = {.model = r_model_of(model), .weights = Rf_asLogical(weights) == TRUE};
    ezlda_infer_options infer;
    ezlda_infer_info info = {.size = sizeof info};
    ezlda_model_info facts = {.size = sizeof facts};
    ezlda_corpus_info size = {.size = sizeof size};
    ezlda_infer_options_init(&infer);
    SEXP failure = r_options_read(options, r_infer_options, &infer);
    if (failure)
        return failure;
    ezlda_model_get_info(t.model, &facts);
    ezlda_corpus_get_info(documents, &size);
    t.docs = (size_t)size.docs;
    t.topics = facts.topics;
    t.alpha_sum = facts.alpha_sum;
    t.row = (double *)R_alloc(t.topics, sizeof *t.row);
    SEXP matrix = PROTECT(Rf_allocMatrix(REALSXP, (int)t.docs, (int)t.topics));
    t.out = REAL(matrix);
    PROTECT(r_watch_open(&t.watch, progress, 2, 0.1));
    infer.progress = after_batch;
    infer.user = &t;
    ezlda_status status =
        ezlda_infer(&info, owner->context, t.model, documents, &infer, receive_row, &t);
    UNPROTECT(1);
    if (status != EZLDA_OK) {
        UNPROTECT(1);
        return r_failed(owner, status);
    }
    r_list result;
    r_list_open(&result, 9);
    r_list_add(&result, "shares", matrix);
    r_list_number(&result, "docs", (double)info.docs);
    r_list_number(&result, "tokens", (double)info.tokens);
    r_list_number(&result, "docs_without", (double)info.docs_without);
    r_list_number(&result, "unseen_tokens", (double)info.unseen_tokens);
    r_list_number(&result, "unknown_tokens", (double)info.unknown_tokens);
    r_list_number(&result, "llpt", info.llpt);
    r_list_add(&result, "topics_hash", r_hash(info.topics_hash));
    r_list_text(&result, "device", info.device);
    UNPROTECT(2);
    return result.list;
}
