/* The trainer's options, checked and turned into a backend's settings. */
#ifndef EZ_TRAIN_OPTIONS_H
#define EZ_TRAIN_OPTIONS_H

#include "backend/backend.h"

enum { EZ_TOPICS_MIN = 2, EZ_TOPICS_MAX = 65536 };

/* Copies the caller's options over the defaults (a caller built against an older header has fewer
 * fields). */
ezlda_status ez_train_options_take(ezlda_train_options *out, ezlda_context *context,
                                   const ezlda_train_options *options);

/* Settings with priors as floats; settings->alpha is freed with ez_free. */
ezlda_status ez_settings_make(ez_settings *out, float **alpha, ezlda_context *context,
                              const ezlda_train_options *options);

/* The switches for study, or their defaults. */
ezlda_study ez_study_of(const ezlda_train_options *options);

#endif
