/* Checks the options of a run and makes a backend's settings from them. */
#ifndef EZ_TRAIN_OPTIONS_H
#define EZ_TRAIN_OPTIONS_H

#include "backend/backend.h"

enum { EZ_TOPICS_MIN = 2, EZ_TOPICS_MAX = 65536 };

/* Copies the caller's options over the defaults and checks them. A caller that was built against an
 * older header has fewer fields. */
ezlda_status ez_train_options_read(ezlda_train_options *out, ezlda_context *context,
                                   const ezlda_train_options *options);

/* Makes the settings, with priors as floats. The caller frees *alpha with ez_free. */
ezlda_status ez_settings_make(ez_settings *out, float **alpha, ezlda_context *context,
                              const ezlda_train_options *options);

/* The switches for study, or their defaults. */
ezlda_study ez_study_of(const ezlda_train_options *options);

#endif
