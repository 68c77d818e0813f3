/* Writes the data of the page: the report as one JSON object. Large tables are packed arrays. */
#include "report/page/page_data.h"

#include "model/edits/edit_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define PACK(key, array, n) \
    (ez_json_key(json, key), ez_json_packed(json, array, n, sizeof *(array)))

/* A number of a packed array, by position. */
typedef double (*number_fn)(const ezlda_report *report, size_t i);

static void pack_f64(ez_json *json, const char *key, const ezlda_report *report, size_t n,
                     number_fn number)
{
    double *array = NULL;
    ez_json_key(json, key);
    if (json->status == EZLDA_OK)
        json->status = ez_array(&array, json->context, n, sizeof *array, "numbers of the page");
    for (size_t i = 0; array && i < n; i++)
        array[i] = number(report, i);
    ez_json_packed(json, array, array ? n : 0, sizeof *array);
    ez_free(array);
}

static void pack_f32(ez_json *json, const char *key, const ezlda_report *report, size_t n,
                     number_fn number)
{
    float *array = NULL;
    ez_json_key(json, key);
    if (json->status == EZLDA_OK)
        json->status = ez_array(&array, json->context, n, sizeof *array, "numbers of the page");
    for (size_t i = 0; array && i < n; i++)
        array[i] = (float)number(report, i);
    ez_json_packed(json, array, array ? n : 0, sizeof *array);
    ez_free(array);
}

/* ---- facts ---- */

static void put_hash(ez_json *json, const char *key, uint64_t hash)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    ez_json_pair(json, key, string, text);
}

static void put_facts(ez_json *json, const ezlda_report *report)
{
    ezlda_model_info info = {.size = sizeof info};
    char seed[24];
    ezlda_model_get_info(report->model, &info);
    snprintf(seed, sizeof seed, "%" PRIu64, info.seed);
    ez_json_key(json, "facts");
    ez_json_begin(json, '{');
    ez_json_pair(json, "documents", whole, info.docs);
    ez_json_pair(json, "words", whole, info.words);
    ez_json_pair(json, "tokens", whole, info.tokens);
    ez_json_pair(json, "topics", whole, info.topics);
    ez_json_pair(json, "iterations", whole, info.iterations);
    ez_json_pair(json, "seed", string, seed);
    ez_json_pair(json, "alpha_sum", real, info.alpha_sum);
    ez_json_pair(json, "beta", real, info.beta);
    ez_json_pair(json, "estimator", string,
                 info.estimator == EZLDA_ESCA ? "esca" : "leave-one-out");
    ez_json_pair(json, "device", string, info.device);
    ez_json_pair(json, "threads", whole, (uint64_t)info.threads);
    ez_json_pair(json, "seconds_sampling", real, info.seconds_sampling);
    ez_json_pair(json, "skipped", real, info.skipped);
    ez_json_pair(json, "moved", real, info.moved);
    put_hash(json, "topics_hash", info.topics_hash);
    put_hash(json, "corpus_hash", info.corpus_hash);
    ez_json_end(json, '}');
}

static void put_llpt(ez_json *json, const ezlda_report *report)
{
    uint32_t iteration;
    double seconds, llpt;
    ez_json_key(json, "llpt");
    ez_json_begin(json, '[');
    for (size_t i = 0; ezlda_model_llpt(report->model, i, &iteration, &seconds, &llpt); i++) {
        ez_json_begin(json, '[');
        ez_json_whole(json, iteration);
        ez_json_real(json, seconds);
        ez_json_real(json, llpt);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

static void put_scores(ez_json *json, const ezlda_report *report)
{
    ezlda_scores_info info = {.size = sizeof info};
    ez_json_key(json, "scores");
    ez_json_begin(json, '{');
    ez_json_pair(json, "note", string, report->scores_note);
    if (!report->scores) {
        ez_json_end(json, '}');
        return;
    }
    ezlda_scores_get_info(report->scores, &info);
    ez_json_pair(json, "u_mass", real, info.u_mass);
    ez_json_pair(json, "npmi", real, info.npmi);
    ez_json_pair(json, "c_v", real, info.c_v);
    ez_json_pair(json, "diversity", real, info.diversity);
    ez_json_pair(json, "exclusivity", real, info.exclusivity);
    ez_json_pair(json, "words", whole, info.topic_words);
    ez_json_pair(json, "npmi_window", whole, info.npmi_window); /* 0: documents */
    ez_json_pair(json, "c_v_window", whole, info.c_v_window);
    ez_json_end(json, '}');
}

/* ---- topics ---- */

static double topic_tokens(const ezlda_report *report, size_t k)
{
    return (double)report->model->topic_tokens[k];
}

static double topic_coherence(const ezlda_report *report, size_t k)
{
    ezlda_topic_scores scores = {.size = sizeof scores};
    return report->scores && ezlda_scores_topic(report->scores, (uint32_t)k, &scores) ? scores.npmi
                                                                                      : NAN;
}

static void put_flags(ez_json *json, const ezlda_report *report)
{
    static const char *const kinds[] = {[EZ_FLAG_EMPTY] = "empty",
                                        [EZ_FLAG_DUPLICATE] = "duplicate",
                                        [EZ_FLAG_JUNK] = "junk",
                                        [EZ_FLAG_CHANCE] = "chance"};
    ez_json_key(json, "flag");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < report->flags; i++) {
        const ez_report_flag *flag = &report->flag[i];
        ez_json_begin(json, '{');
        ez_json_pair(json, "topic", whole, flag->topic);
        ez_json_pair(json, "kind", string, kinds[flag->kind]);
        ez_json_pair(json, "reason", string, flag->reason);
        if (flag->other != EZ_NO_ITEM)
            ez_json_pair(json, "other", whole, flag->other);
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
}

static void put_hidden(ez_json *json, const ezlda_report *report)
{
    ez_json_key(json, "hidden");
    ez_json_begin(json, '[');
    for (uint32_t k = 0; k < report->model->meta->topics; k++)
        if (ezlda_model_topic_hidden(report->model, k))
            ez_json_whole(json, k);
    ez_json_end(json, ']');
}

static void put_first_words(ez_json *json, const ezlda_report *report, uint32_t topic)
{
    uint32_t word[EZ_FIRST_WORDS];
    size_t n = ez_edits_first(report->model->edits, topic, word, EZ_FIRST_WORDS);
    if (!n)
        return;
    ez_json_key(json, "first");
    ez_json_begin(json, '[');
    for (size_t i = 0; i < n; i++)
        ez_json_whole(json, report->vocabulary.report_word[word[i]]);
    ez_json_end(json, ']');
}

/* What edits say: names, groups, words that come first, and topics that lists do not have. */
static void put_edits(ez_json *json, const ezlda_report *report)
{
    const ezlda_model *model = report->model;
    if (!model->edits)
        return;
    put_hidden(json, report);
    ez_json_key(json, "edited");
    ez_json_begin(json, '[');
    for (uint32_t k = 0; k < model->meta->topics; k++) {
        ez_json_begin(json, '{');
        ez_json_pair(json, "name", string, ezlda_model_topic_name(model, k));
        ez_json_pair(json, "group", string, ezlda_model_topic_group(model, k));
        put_first_words(json, report, k);
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
}

static void put_topics(ez_json *json, const ezlda_report *report)
{
    size_t topics = report->model->meta->topics;
    ez_json_key(json, "topics");
    ez_json_begin(json, '{');
    pack_f64(json, "tokens", report, topics, topic_tokens);
    PACK("alpha", report->model->alpha, topics);
    PACK("x", report->x, topics);
    PACK("y", report->y, topics);
    pack_f32(json, "coherence", report, topics, topic_coherence);
    put_flags(json, report);
    put_edits(json, report);
    PACK("similar", report->near_topic, topics * report->near);
    PACK("similarity", report->near_similarity, topics * report->near);
    ez_json_end(json, '}');
}

/* ---- words ---- */

static double word_tokens(const ezlda_report *report, size_t i)
{
    return (double)report->model->word_tokens[report->vocabulary.model_word[i]];
}

static void put_vocabulary(ez_json *json, const ezlda_report *report)
{
    const ez_report_words *words = &report->vocabulary;
    uint32_t plain = 0; /* words before the first gap: their positions are their ranks */
    while (plain < words->vocabulary && words->rank[plain] == plain)
        plain++;
    ez_json_key(json, "vocabulary");
    ez_json_begin(json, '{');
    ez_json_pair(json, "all", whole, report->model->meta->words);
    ez_json_key(json, "text");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < words->vocabulary; i++)
        ez_json_string(json, ezlda_model_word(report->model, words->model_word[i]));
    ez_json_end(json, ']');
    pack_f64(json, "tokens", report, words->vocabulary, word_tokens);
    PACK("rank", words->rank + plain, words->vocabulary - plain);
    ez_json_end(json, '}');
}

static void put_words(ez_json *json, const ezlda_report *report)
{
    const ez_report_words *words = &report->vocabulary;
    size_t topics = report->model->meta->topics, n = words->start[topics];
    uint32_t *place = NULL;
    if (json->status == EZLDA_OK)
        json->status = ez_array(&place, json->context, n, sizeof *place, "words of topics");
    for (size_t i = 0; place && i < n; i++)
        place[i] = words->report_word[words->word[i]];
    ez_json_key(json, "topic_words");
    ez_json_begin(json, '{');
    ez_json_pair(json, "each", whole, report->words);
    PACK("start", words->start, topics + 1);
    PACK("word", place, place ? n : 0);
    PACK("count", words->count, n);
    ez_json_end(json, '}');
    ez_free(place);
    n = words->topic_start[words->vocabulary];
    ez_json_key(json, "word_topics");
    ez_json_begin(json, '{');
    PACK("start", words->topic_start, (size_t)words->vocabulary + 1);
    PACK("topic", words->topic, n);
    PACK("count", words->topic_count, n);
    ez_json_end(json, '}');
}

static void put_node_words(ez_json *json, const ezlda_report *report, const ezlda_tree_node *node)
{
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < node->n_words; i++)
        if (report->vocabulary.report_word[node->words[i]] != EZ_NO_ITEM)
            ez_json_whole(json, report->vocabulary.report_word[node->words[i]]);
    ez_json_end(json, ']');
}

/* The merges of the tree, and for each node the words that tell it from its sibling. */
static void put_tree(ez_json *json, const ezlda_report *report)
{
    uint32_t topics = report->model->meta->topics, merges = topics - 1;
    ezlda_tree_node node = {.size = sizeof node};
    uint16_t *child[2] = {NULL, NULL};
    if (!report->tree)
        return;
    for (int side = 0; side < 2; side++) {
        if (json->status == EZLDA_OK)
            json->status = ez_array(&child[side], json->context, merges, sizeof **child, "a tree");
        for (uint32_t i = 0; child[side] && i < merges; i++) {
            ezlda_tree_get_node(report->tree, topics + i, &node);
            child[side][i] = (uint16_t)(side ? node.right : node.left);
        }
    }
    ez_json_key(json, "tree");
    ez_json_begin(json, '{');
    PACK("left", child[0], child[0] ? merges : 0);
    PACK("right", child[1], child[1] ? merges : 0);
    ez_json_key(json, "words");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; ezlda_tree_get_node(report->tree, i, &node); i++)
        put_node_words(json, report, &node);
    ez_json_end(json, ']');
    ez_json_end(json, '}');
    ez_free(child[0]);
    ez_free(child[1]);
}

/* Numbers in the narrowest width of 2 and 4 bytes that has them all, else as f64. */
static void put_counts(ez_json *json, const uint64_t *count, size_t n)
{
    uint64_t most = 0;
    void *room = NULL;
    for (size_t i = 0; i < n; i++)
        most = count[i] > most ? count[i] : most;
    size_t width = most <= UINT16_MAX ? 2 : most <= UINT32_MAX ? 4 : 8;
    if (json->status == EZLDA_OK)
        json->status = ez_array(&room, json->context, n, width, "numbers of the page");
    for (size_t i = 0; room && i < n; i++) {
        if (width == 2)
            ((uint16_t *)room)[i] = (uint16_t)count[i];
        else if (width == 4)
            ((uint32_t *)room)[i] = (uint32_t)count[i];
        else
            ((double *)room)[i] = (double)count[i];
    }
    ez_json_pair(json, "width", whole, width);
    ez_json_key(json, "tokens");
    ez_json_packed(json, room, room ? n : 0, width);
    ez_free(room);
}

/* The page finds the names of times itself, from their numbers. */
static void put_bins(ez_json *json, const ez_report_field *field)
{
    if (field->time) {
        ez_json_pair(json, "unit", string, field->unit);
        ez_json_pair(json, "every", whole, field->every);
        ez_json_pair(json, "step", string, field->step);
        PACK("at", field->at, field->values);
        return;
    }
    ez_json_key(json, "values");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < field->values; i++)
        ez_json_string(json, field->value[i]);
    ez_json_end(json, ']');
}

static void put_fields(ez_json *json, const ezlda_report *report)
{
    ez_json_key(json, "fields");
    ez_json_begin(json, '[');
    for (uint32_t f = 0; f < report->fields; f++) {
        const ez_report_field *field = &report->field[f];
        size_t cells = (size_t)report->model->meta->topics * field->values;
        ez_json_begin(json, '{');
        ez_json_pair(json, "name", string, field->name);
        ez_json_pair(json, "kind", string, field->time ? "time" : "category");
        ez_json_pair(json, "undated", whole, field->undated);
        ez_json_pair(json, "first_undated", string, field->first_undated);
        put_bins(json, field);
        PACK("total", field->total, field->values);
        PACK("squares", field->squares, field->values);
        PACK("docs", field->docs, field->values);
        put_counts(json, field->tokens, cells);
        PACK("spread", field->spread, cells);
        ez_json_end(json, '}');
    }
    ez_json_end(json, ']');
}

void ez_page_data(ez_json *json, const ezlda_report *report, ez_page_kind kind)
{
    char tool[32];
    snprintf(tool, sizeof tool, "ezlda %s", ezlda_version_string());
    ez_json_begin(json, '{');
    ez_json_pair(json, "version", whole, 1);
    ez_json_pair(json, "title", string, report->title);
    ez_json_pair(json, "created", string, report->created);
    ez_json_pair(json, "tool", string, tool);
    put_facts(json, report);
    put_llpt(json, report);
    put_scores(json, report);
    put_topics(json, report);
    put_vocabulary(json, report);
    put_words(json, report);
    put_tree(json, report);
    ez_page_documents(json, report);
    put_fields(json, report);
    ez_page_compare(json, report);
    ez_json_pair(json, "serve", bool, kind != EZ_PAGE_FILE);
    ez_json_pair(json, "search", bool, kind == EZ_PAGE_SEARCHED);
    ez_json_end(json, '}');
}
