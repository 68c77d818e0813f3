/* The members of an ensemble while they are trained, and the folder that keeps them. */
#ifndef EZ_ENSEMBLE_H
#define EZ_ENSEMBLE_H

#include "base/memory.h"
#include "model/model_layout.h"

typedef struct ez_ensemble {
    ezlda_context *context;
    const ezlda_corpus *corpus;
    ezlda_ensemble_options options;
    ezlda_train_options train;
    uint64_t corpus_hash;
    ezlda_model **members; /* options.seeds */
    uint32_t number;       /* the member in progress, from 0 */
    bool stopped;
} ez_ensemble;

/* Makes the folder if it is missing. A folder whose members were trained with other options or on
 * another corpus is an error, and so is one with other files. */
ezlda_status ez_ensemble_folder(const ez_ensemble *e);
/* Loads the member in progress from the folder; *out stays NULL if it is not there, or damaged. */
ezlda_status ez_ensemble_find(const ez_ensemble *e, ezlda_model **out);
/* Writes the member in progress to the folder, if there is one. */
ezlda_status ez_ensemble_keep(const ez_ensemble *e, const ezlda_model *member);

#endif
