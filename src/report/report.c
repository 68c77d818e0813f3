/* Makes a report by running its steps in order, frees it, and writes its page to a file. */
#include "report/report.h"

#include "base/copy_string.h"
#include "base/files/output_file.h"
#include "base/options_struct.h"
#include "base/os/os_process.h"
#include "corpus/input/utf8.h"
#include "model/trained_on.h"
#include "report/page/page_data.h"

#include <stdio.h>

void ezlda_report_options_init_sized(ezlda_report_options *options, size_t size)
{
    ezlda_report_options defaults = {.size = sizeof defaults};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

static ezlda_status check_options(ezlda_report_options *out, ezlda_context *context,
                                  const ezlda_report_options *options)
{
    ezlda_report_options_init(out);
    EZ_TRY(ez_options_read(out, sizeof *out, context, options, "report"));
    if (out->words > EZLDA_REPORT_MOST_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "words is %u; expected at most %d",
                       out->words, EZLDA_REPORT_MOST_WORDS);
    if (out->docs > EZLDA_REPORT_MOST_DOCS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "docs is %u; expected at most %d", out->docs,
                       EZLDA_REPORT_MOST_DOCS);
    return EZLDA_OK;
}

/* ---- making ---- */

static uint32_t usual_words(uint32_t topics)
{
    return topics <= 1000 ? 30 : topics <= 3000 ? 20 : 12;
}

static uint32_t usual_docs(uint32_t topics)
{
    return topics <= 300 ? 10 : topics <= 1000 ? 5 : topics <= 3000 ? 3 : 2;
}

/* A copy with '?' for bytes that are not UTF-8: titles come from file names and command lines. */
static ezlda_status copy_text(char **out, ezlda_context *context, const char *text)
{
    EZ_TRY(ez_copy_string(out, context, text));
    size_t n = strlen(text), bad;
    while ((bad = ez_utf8_check(*out, n)) < n)
        (*out)[bad] = '?';
    return EZLDA_OK;
}

static ezlda_status copy_texts(ezlda_report *report, ezlda_context *context,
                               const ezlda_report_options *options)
{
    char today[16];
    if (!ez_os_date(ez_os_time(), today))
        today[0] = '\0';
    EZ_TRY(copy_text(&report->title, context, options->title ? options->title : "Topics"));
    EZ_TRY(copy_text(&report->other_title, context,
                     options->other_title ? options->other_title : "the other"));
    return copy_text(&report->created, context, options->created ? options->created : today);
}

static ezlda_status compare(ezlda_report *report, ezlda_context *context)
{
    return report->other
               ? ezlda_model_match(&report->match, context, report->model, report->other, NULL)
               : EZLDA_OK;
}

static ezlda_status make(ezlda_report *report, ezlda_context *context,
                         const ezlda_report_options *options)
{
    uint32_t topics = report->model->meta->topics, words = report->model->meta->words;
    report->words = options->words ? options->words : usual_words(topics);
    report->words = report->words < words ? report->words : words;
    EZ_TRY(copy_texts(report, context, options));
    /* first, because an option may be wrong here */
    EZ_TRY(ez_report_trends(report, context, options->field, options->step));
    EZ_TRY(compare(report, context));
    EZ_TRY(ez_report_neighbours(report, context));
    EZ_TRY(ez_report_map(report, context));
    EZ_TRY(ez_report_score(report, context));
    EZ_TRY(ez_report_flag_topics(report, context));
    EZ_TRY(ez_report_topic_words(report, context));
    EZ_TRY(
        ez_report_documents(report, context, options->docs ? options->docs : usual_docs(topics)));
    EZ_TRY(ez_report_vocabulary(report, context));
    return ez_report_tree(report, context);
}

ezlda_status ezlda_report_make(ezlda_report **out, ezlda_context *context, const ezlda_model *model,
                               const ezlda_corpus *corpus, const ezlda_model *other,
                               const ezlda_report_options *options)
{
    ezlda_report_options checked;
    ezlda_report *report;
    ez_clear(context);
    if (!out || !model)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_report_make: expected a model and room for the report");
    *out = NULL;
    if (!model->meta->tokens)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "the model has no tokens: nothing to show");
    EZ_TRY(check_options(&checked, context, options));
    EZ_TRY(ez_array_zero(&report, context, 1, sizeof *report, "a report"));
    report->model = model;
    report->other = other;
    ezlda_status status = ez_restore_corpus(&report->restored, model, context, corpus);
    report->corpus = report->restored ? report->restored : corpus;
    if (status == EZLDA_OK)
        status = ez_trained_on(model, context, report->corpus, checked.corpus_name);
    if (status == EZLDA_OK)
        status = make(report, context, &checked);
    if (status == EZLDA_OK)
        *out = report;
    else
        ezlda_report_free(report);
    return status;
}

void ezlda_report_free(ezlda_report *report)
{
    if (!report)
        return;
    ez_report_words_free(&report->vocabulary);
    ez_report_docs_free(&report->docs);
    ez_report_fields_free(report);
    ezlda_scores_free(report->scores);
    ezlda_match_free(report->match);
    ezlda_tree_free(report->tree);
    ez_free(report->title);
    ez_free(report->other_title);
    ez_free(report->created);
    ez_free(report->x);
    ez_free(report->y);
    ez_free(report->near_topic);
    ez_free(report->near_similarity);
    ez_free(report->corpus_similarity);
    ez_free(report->flag);
    ezlda_corpus_free(report->restored);
    ez_free(report);
}

ezlda_status ezlda_report_write(ezlda_context *context, const ezlda_report *report,
                                const char *path)
{
    ez_output *output = NULL;
    ez_buffer page = {0};
    ezlda_status status;
    ez_clear(context);
    if (!report || !path || !*path)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT,
                       "ezlda_report_write: expected a report and a path");
    EZ_TRY_GOTO(ez_page_make(report, context, EZ_PAGE_FILE, &page));
    EZ_TRY_GOTO(ez_output_open(&output, context, path));
    status = ez_output_write(output, context, page.data, page.used);
    if (status == EZLDA_OK)
        status = ez_output_commit(output, context);
    else
        ez_output_abandon(output);
done:
    ez_free(page.data);
    return status;
}
