/* The inference of one batch of documents, and the state that all batches share. */
#ifndef EZ_INFER_BATCH_H
#define EZ_INFER_BATCH_H

#include "backend/choose_device.h"
#include "base/files/content_hash.h"
#include "infer/infer_rows.h"
#include "infer/infer_topics.h"
#include "infer/known_docs.h"
#include "infer/model_base.h"

typedef struct ez_inference {
    ezlda_context *context;
    const ezlda_model *model;
    ezlda_infer_options options;
    ez_device_choice choice;
    ez_row_receiver to;
    ez_batch_fn take; /* receives whole batches instead of rows, with to.user */
    ez_known_docs known;
    ez_model_base base;
    bool has_base;
    ez_settings settings;
    float *alpha;
    ez_hasher *hasher;
    int64_t score; /* sum of log2 p in fixed point (log2_fixed.h) */
    double seconds;
    uint64_t docs_reported;
    char device[64];
} ez_inference;

/* infer.c: reads the options, the device and the samples among them; then the settings of a
 * backend. Close also after an error. */
ezlda_status ez_inference_options(ez_inference *f, const ezlda_infer_options *options);
ezlda_status ez_inference_settings(ez_inference *f);
void ez_inference_close(ez_inference *f);

/* Samples the documents of a list, which f->base must be made for. */
ezlda_status ez_infer_sample(ez_inference *f, ez_token_list *tokens, uint16_t *samples);
/* Infers blocks [first, last) of the corpus and passes their rows, or the batch, to the caller. */
ezlda_status ez_infer_batch(ez_inference *f, uint64_t first, uint64_t last);

/* infer.c: ezlda_infer without its checks of arguments. */
ezlda_status ez_infer_all(ezlda_infer_info *info, ezlda_context *context, const ezlda_model *model,
                          const ezlda_corpus *corpus, const ezlda_infer_options *options,
                          const ez_row_receiver *to);

/* Calls the progress function. */
ezlda_status ez_infer_report(ez_inference *f, uint64_t docs_done);

#endif
