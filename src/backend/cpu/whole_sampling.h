/* Inference on the CPU: documents taken whole through all iterations (whole_doc.h). */
#ifndef EZ_WHOLE_SAMPLING_H
#define EZ_WHOLE_SAMPLING_H

#include "backend/cpu/cpu.h"
#include "backend/cpu/whole_doc.h"
#include "backend/sampling.h"

/* whole_words.c: of the words that occur, after prepare. Free it on failure, too. */
ezlda_status ez_whole_words_make(ez_whole_words *words, ez_cpu *cpu, ezlda_context *context);
void ez_whole_words_free(ez_whole_words *words);

/* whole_doc.c: memory for any document of the batch (free it on failure, too), and taking up a document. */
ezlda_status ez_whole_doc_init(ez_whole_doc *doc, const ez_cpu *cpu, ezlda_context *context,
                               const ez_whole_words *words, const ez_whole_size *size);
void ez_whole_doc_free(ez_whole_doc *doc);
void ez_whole_doc_begin(ez_whole_doc *doc, const ez_cpu *cpu, const ez_whole_words *words, uint64_t d);

/* whole_sampling.c: the backend's sample. */
ezlda_status ez_cpu_sample(ez_backend *backend, ezlda_context *context, ez_sampling *sampling);

#endif
