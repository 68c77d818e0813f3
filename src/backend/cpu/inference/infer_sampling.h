/* Inference on the CPU: each document passes through all iterations before the next one begins
 * (infer_doc.h). */
#ifndef EZ_INFER_SAMPLING_H
#define EZ_INFER_SAMPLING_H

#include "backend/cpu/cpu.h"
#include "backend/cpu/inference/infer_doc.h"
#include "backend/doc_sampler.h"
#include "backend/sampling.h"

/* infer_words.c: makes the entries of the words that occur, after the prepare pass. Free also on
 * failure. */
ezlda_status ez_infer_words_make(ez_infer_words *words, ez_cpu *cpu, ezlda_context *context);
void ez_infer_words_free(ez_infer_words *words);

/* infer_doc.c: memory for any document of the batch (free also on failure), and the begin of a
 * document. */
ezlda_status ez_infer_doc_init(ez_infer_doc *doc, const ez_cpu *cpu, ezlda_context *context,
                               const ez_infer_words *words, const ez_infer_size *size);
void ez_infer_doc_free(ez_infer_doc *doc);
void ez_infer_doc_begin(ez_infer_doc *doc, const ez_cpu *cpu, const ez_infer_words *words,
                        const ez_doc_tokens *tokens);

/* infer_sampling.c: adds a document to the largest sizes; whether documents of these sizes are
 * sampled whole. */
void ez_infer_size_add(ez_infer_size *size, const ez_infer_words *words, uint32_t topics,
                       const uint32_t *word, uint64_t n);
bool ez_infer_size_is_small(const ez_infer_size *size, const ez_sampling *plan);
/* infer_sampling.c: all iterations of one document. Sample i goes to out + i * stride. Returns the
 * score of the last iteration. */
int64_t ez_infer_doc_sample(ez_infer_doc *doc, const ez_cpu *cpu, const ez_infer_words *words,
                            const ez_doc_tokens *tokens, const ez_sampling *plan, uint16_t *out,
                            uint64_t stride);
/* infer_sampling.c: the backend's operation `sample`. */
ezlda_status ez_cpu_sample(ez_backend *backend, ezlda_context *context, ez_sampling *sampling);

#endif
