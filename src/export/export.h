/* The parts that all export formats share: the request, totals, and blocks of documents. */
#ifndef EZ_EXPORT_H
#define EZ_EXPORT_H

#include "model/topic_index.h"

typedef struct ez_export {
    const ezlda_model *model;
    ezlda_context *context;
    const ezlda_corpus *corpus; /* the corpus of the run (its hash was compared), or NULL */
    uint32_t words;             /* words per topic; 0: the default of the format's own tool */
    const char *path;
} ez_export;

typedef ezlda_status (*ez_export_fn)(const ez_export *what);

ezlda_status ez_export_mallet_state(const ez_export *what);
ezlda_status ez_export_mallet_keys(const ez_export *what);
ezlda_status ez_export_mallet_doc_topics(const ez_export *what);
ezlda_status ez_export_gensim(const ez_export *what);
ezlda_status ez_export_pyldavis(const ez_export *what);
ezlda_status ez_export_npz(const ez_export *what);
ezlda_status ez_export_csv(const ez_export *what);

/* The number of words per topic: as requested or `usual`, at most all. */
static inline uint32_t ez_export_words(const ez_export *what, uint32_t usual)
{
    uint32_t words = what->words ? what->words : usual;
    return words < what->model->meta->words ? words : what->model->meta->words;
}

/* length + sum of alpha: the share of a topic in a document is (count + alpha) / this. */
static inline double ez_doc_total(const ezlda_model *model, uint64_t doc)
{
    return (double)(model->doc_start[doc + 1] - model->doc_start[doc]) + model->alpha_sum;
}

/* Documents are exported in blocks of this many. */
enum { EZ_EXPORT_DOCS = 256 };

static inline uint64_t ez_export_doc_blocks(const ezlda_model *model)
{
    return (model->meta->docs + EZ_EXPORT_DOCS - 1) / EZ_EXPORT_DOCS;
}

/* End of the documents of a block. */
static inline uint64_t ez_export_block_end(const ezlda_model *model, uint64_t block)
{
    uint64_t end = (block + 1) * EZ_EXPORT_DOCS;
    return end < model->meta->docs ? end : model->meta->docs;
}

#endif
