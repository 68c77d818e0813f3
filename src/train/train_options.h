/* Checks the options of a run and makes a backend's settings from them. */
#ifndef EZ_TRAIN_OPTIONS_H
#define EZ_TRAIN_OPTIONS_H

#include "backend/backend.h"
#include "corpus/corpus.h"
#include "train/priors/priors.h"

enum { EZ_TOPICS_MIN = 2, EZ_TOPICS_MAX = 65536 };

/* Copies the caller's options over the defaults and checks them. A caller that was built against an
 * older header has fewer fields. */
ezlda_status ez_train_options_read(ezlda_train_options *out, ezlda_context *context,
                                   const ezlda_train_options *options);

/* What a run fits: alpha and beta, unless the caller has given them or fixes both. */
ez_prior_plan ez_prior_plan_of(const ezlda_train_options *options);

/* Sets the options that the caller leaves to the library and that depend on the corpus: iterations,
 * start, alpha and beta before the first iteration. Returns whether the held-out score may end the
 * run. */
bool ez_train_options_suit(ezlda_train_options *options, const ez_corpus_sizes *sizes);

/* The part of it that needs the number of tokens alone: the most iterations that the run may make,
 * and the start. */
bool ez_train_options_suit_size(ezlda_train_options *options, uint64_t tokens);

/* Makes the settings, with priors as floats. The caller frees *alpha with ez_free. */
ezlda_status ez_settings_make(ez_settings *out, float **alpha, ezlda_context *context,
                              const ezlda_train_options *options);

/* The switches for study, or their defaults. */
ezlda_study ez_study_of(const ezlda_train_options *options);

#endif
