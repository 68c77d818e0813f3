/* Judges topics: computes the report's coherence scores, and flags topics that deserve a second
 * look, each with the reason in words. */
#include "corpus/corpus.h"
#include "eval/evaluate.h"
#include "report/content/best_list.h"
#include "report/content/word_flags.h"
#include "report/report.h"

#include <stdio.h>

/* ---- scores ---- */

/* A corpus with more than EZ_SCORED_TOKENS tokens is not scored. One with more than
 * EZ_SCORED_IN_ORDER is scored by whole documents, because sliding windows take longer. */
#define EZ_SCORED_TOKENS ((uint64_t)300000000)
#define EZ_SCORED_IN_ORDER ((uint64_t)30000000)

ezlda_status ez_report_score(ezlda_report *report, ezlda_context *context)
{
    ezlda_eval_options options;
    ez_corpus_sizes sizes;
    report->scores_note = "The scores need the corpus: pass it to ezlda report with the model.";
    if (!report->corpus)
        return EZLDA_OK;
    ez_corpus_sizes_of(report->corpus, &sizes);
    report->scores_note = "The corpus is large: use ezlda eval to compute the scores.";
    if (!sizes.tokens || sizes.tokens > EZ_SCORED_TOKENS)
        return EZLDA_OK;
    ezlda_eval_options_init(&options);
    options.measures = EZLDA_MEASURE_COHERENCE;
    report->scores_note = "";
    if (sizes.tokens > EZ_SCORED_IN_ORDER && ez_corpus_has_order(report->corpus)) {
        options.npmi_window = options.c_v_window = 0;
        report->scores_note =
            "The corpus is large: words are counted in documents; ezlda eval counts in windows.";
    }
    return ezlda_evaluate(&report->scores, context, report->model, report->corpus, &options);
}

/* ---- flags ---- */

/* Thresholds of similarities as in topic_neighbours.c. If K topics have no words in common, each
 * has a similarity of about sqrt(1/K) with the corpus. */
#define EZ_DUPLICATE_FROM 0.75
#define EZ_CORPUS_FROM 0.85
#define EZ_FEW_DOCS_FROM 0.5
#define EZ_NPMI_BELOW (-0.1)
#define EZ_SURE_FROM 0.25

enum { EZ_FEW_DOCS = 3, EZ_LEAST_DOCS = 30, EZ_FEW_DOCS_TOKENS = 100 };

static void add(ezlda_report *report, ez_report_flag flag)
{
    report->flag[report->flags++] = flag;
}

/* If two topics are nearly the same, the smaller one is flagged and names the larger one; ties: the
 * larger number is flagged. */
static bool is_duplicate(const ezlda_report *report, uint32_t topic, uint32_t *other,
                         double *similarity)
{
    const uint64_t *tokens = report->model->topic_tokens;
    for (uint32_t i = 0; i < report->near; i++) {
        uint32_t k = report->near_topic[(size_t)topic * report->near + i];
        *similarity = (double)report->near_similarity[(size_t)topic * report->near + i];
        *other = k;
        if (*similarity >= EZ_DUPLICATE_FROM &&
            (tokens[k] > tokens[topic] || (tokens[k] == tokens[topic] && k < topic)))
            return true;
    }
    return false;
}

/* Share of the topic's tokens in the documents that its EZ_FEW_DOCS largest ones have; 0 if there
 * are too few tokens to tell. */
static double few_docs_share(const ezlda_report *report, const ez_topic_index *index,
                             uint32_t topic)
{
    ez_best_item item[EZ_FEW_DOCS];
    ez_best_list best = {item, 0, EZ_FEW_DOCS};
    double sum = 0, all = 0;
    for (uint64_t i = index->start[topic]; i < index->start[topic + 1]; i++) {
        uint32_t count = ez_index_count(index, i, &report->model->doc_rows, topic);
        ez_best_offer(&best, count, index->row[i], count);
        all += count;
    }
    for (uint32_t i = 0; i < best.n; i++)
        sum += item[i].count;
    return all >= EZ_FEW_DOCS_TOKENS ? sum / all : 0;
}

/* Whether the topic's words rarely occur together, judged by the pairs that are frequent enough. In
 * small corpora few pairs are, and then the topic is not flagged. */
static bool keeps_apart(const ezlda_report *report, uint32_t topic, char *reason, size_t room)
{
    const ez_topic_quality *quality =
        report->scores ? ez_scores_quality(report->scores, topic) : NULL;
    if (!quality || report->model->meta->docs < EZ_LEAST_DOCS ||
        !(quality->npmi_sure < EZ_NPMI_BELOW))
        return false;
    uint32_t words = quality->words - quality->missing, pairs = words * (words - 1) / 2;
    if (quality->sure_pairs < EZ_SURE_FROM * pairs)
        return false;
    snprintf(reason, room,
             "its first words occur together less often than by chance (NPMI %.2f over the %u of "
             "%u pairs that are frequent enough to tell)",
             quality->npmi_sure, quality->sure_pairs, pairs);
    return true;
}

static bool is_junk(const ezlda_report *report, const ez_topic_index *docs, uint32_t topic,
                    char *reason, size_t room)
{
    double whole = (double)report->corpus_similarity[topic];
    if (whole >= EZ_CORPUS_FROM) {
        snprintf(reason, room,
                 "its words are those of the whole corpus (similarity %.2f, 1: the same shares)",
                 whole);
        return true;
    }
    if (report->model->meta->docs >= EZ_LEAST_DOCS) {
        double share = few_docs_share(report, docs, topic);
        if (share >= EZ_FEW_DOCS_FROM) {
            snprintf(reason, room, "%d documents have %.0f %% of its tokens", EZ_FEW_DOCS,
                     100 * share);
            return true;
        }
    }
    return keeps_apart(report, topic, reason, room);
}

/* Whether fewer than half of the models of an ensemble have the topic. */
static bool is_chance(const ezlda_report *report, uint32_t topic, char *reason, size_t room)
{
    const ezlda_model *model = report->model;
    if (!model->ensemble || 2 * (uint64_t)model->found[topic] >= model->ensemble->members)
        return false;
    snprintf(reason, room, "only %u of %u models with other seeds have it", model->found[topic],
             model->ensemble->members);
    return true;
}

ezlda_status ez_report_flag_topics(ezlda_report *report, ezlda_context *context)
{
    uint32_t topics = report->model->meta->topics;
    const ez_topic_index *docs;
    EZ_TRY(ez_model_index(report->model, context, EZ_INDEX_DOCS, &docs));
    EZ_TRY(ez_array(&report->flag, context, ez_product(3, topics), sizeof *report->flag,
                    "flags of topics"));
    ez_stop_table table = {0};
    ezlda_status status;
    EZ_TRY_GOTO(ez_stop_table_add_all(&table, context));
    for (uint32_t k = 0; k < topics; k++) {
        ez_report_flag flag = {
            .topic = k, .other = EZ_NO_ITEM, .kind = EZ_FLAG_EMPTY, .reason = "it has no tokens"};
        if (ezlda_model_topic_hidden(report->model, k))
            continue;
        if (!report->model->topic_tokens[k]) {
            add(report, flag);
            continue;
        }
        flag.kind = EZ_FLAG_CHANCE;
        if (is_chance(report, k, flag.reason, sizeof flag.reason))
            add(report, flag);
        double similarity;
        flag.kind = EZ_FLAG_JUNK;
        bool junk = is_junk(report, docs, k, flag.reason, sizeof flag.reason);
        if (!junk)
            EZ_TRY_GOTO(
                ez_flag_words(report, context, &table, k, flag.reason, sizeof flag.reason, &junk));
        if (junk)
            add(report, flag);
        flag.kind = EZ_FLAG_DUPLICATE;
        if (is_duplicate(report, k, &flag.other, &similarity)) {
            snprintf(flag.reason, sizeof flag.reason,
                     "nearly the same as topic %u (similarity %.2f)", flag.other, similarity);
            add(report, flag);
        }
    }
done:
    ez_stop_table_free(&table);
    return status;
}
