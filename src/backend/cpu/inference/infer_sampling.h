/* Inference on the CPU: each document passes through all iterations before the next one begins
 * (infer_doc.h). */
#ifndef EZ_INFER_SAMPLING_H
#define EZ_INFER_SAMPLING_H

#include "backend/cpu/cpu.h"
#include "backend/cpu/inference/infer_doc.h"
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
                        uint64_t d);

/* infer_sampling.c: the backend's operation `sample`. */
ezlda_status ez_cpu_sample(ez_backend *backend, ezlda_context *context, ez_sampling *sampling);

#endif
