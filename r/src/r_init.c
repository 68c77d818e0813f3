/* Registers the routines that R code calls with .Call. */
#include "r_ezlda.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#define ROUTINE(name, arguments)                    \
    {                                               \
#name, (DL_FUNC)(void *)(name), (arguments) \
    }
static const R_CallMethodDef routines[] = {
    ROUTINE(r_context_new, 1),       ROUTINE(r_context_notes, 1), ROUTINE(r_version, 0),
    ROUTINE(r_option_names, 1),      ROUTINE(r_corpus_read, 4),   ROUTINE(r_corpus_texts, 5),
    ROUTINE(r_corpus_matrix, 3),     ROUTINE(r_corpus_synth, 2),  ROUTINE(r_corpus_with_fields, 4),
    ROUTINE(r_corpus_split, 4),      ROUTINE(r_corpus_select, 3), ROUTINE(r_corpus_save, 3),
    ROUTINE(r_corpus_info, 1),       ROUTINE(r_corpus_words, 1),  ROUTINE(r_corpus_field, 2),
    ROUTINE(r_corpus_counts, 1),     ROUTINE(r_train, 9),         ROUTINE(r_plan, 4),
    ROUTINE(r_model_load, 2),        ROUTINE(r_model_save, 3),    ROUTINE(r_model_export, 6),
    ROUTINE(r_model_from_mallet, 2), ROUTINE(r_model_info, 1),    ROUTINE(r_model_history, 1),
    ROUTINE(r_model_words, 1),       ROUTINE(r_model_names, 1),   ROUTINE(r_model_numbers, 2),
    ROUTINE(r_model_top, 6),         ROUTINE(r_model_beta, 1),    ROUTINE(r_model_gamma, 1),
    ROUTINE(r_model_assign, 4),      ROUTINE(r_infer, 6),         ROUTINE(r_evaluate, 4),
    ROUTINE(r_match_models, 5),      ROUTINE(r_sweep, 8),         ROUTINE(r_report, 7),
    ROUTINE(r_devices, 1),           ROUTINE(r_open_device, 2),   {NULL, NULL, 0}};

void attribute_visible R_init_ezlda(DllInfo *info)
{
    R_registerRoutines(info, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(info, FALSE);
    R_forceSymbols(info, TRUE);
}
