/* Coherence and its kin, where there is a corpus and the work is a matter of seconds. */
#include "corpus/corpus.h"
#include "report/report.h"

/* Tokens of a corpus that is scored: sliding windows take longer than documents. */
#define EZ_SCORED_TOKENS ((uint64_t)300000000)
#define EZ_SCORED_IN_ORDER ((uint64_t)30000000)

ezlda_status ez_report_score(ezlda_report *report, ezlda_context *context)
{
    ezlda_eval_options options;
    ez_corpus_sizes sizes;
    report->scores_note = "The scores need the corpus: give it to ezlda report beside the model.";
    if (!report->corpus)
        return EZLDA_OK;
    ez_corpus_sizes_of(report->corpus, &sizes);
    report->scores_note = "The corpus is large: ezlda eval gives the scores.";
    if (!sizes.tokens || sizes.tokens > EZ_SCORED_TOKENS)
        return EZLDA_OK;
    ezlda_eval_options_init(&options);
    options.measures = EZLDA_MEASURE_COHERENCE;
    report->scores_note = "";
    if (sizes.tokens > EZ_SCORED_IN_ORDER && ez_corpus_has_order(report->corpus)) {
        options.npmi_window = options.c_v_window = 0;
        report->scores_note =
            "The corpus is large: documents stand for windows; ezlda eval counts in windows.";
    }
    return ezlda_evaluate(&report->scores, context, report->model, report->corpus, &options);
}
