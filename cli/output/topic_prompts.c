/* Chooses distinctive words and neighbours of topics, and writes prompts. */
#include "output/topic_prompts.h"

#include "options/names_option.h"
#include "output/json_out.h"
#include "output/output_path.h"
#include "output/text_out.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 20, COMPARED = 50, NEIGHBOURS = 4, NEIGHBOUR_WORDS = 8, DOCUMENTS = 5 };

/* Words of a name: two, or more if that is needed to differ; and how much frequent words count. */
enum { NAME_LEAST = 2, NAME_MOST = 8 };
static const double NAME_LAMBDA = 0.4;

typedef struct prompts {
    const ezlda_model *model;
    ezlda_context *context;
    uint32_t topics;
    ezlda_scored *words; /* topics x COMPARED, by probability */
    size_t *n;           /* topics */
} prompts;

static ezlda_status open_prompts(prompts *p)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(p->model, &info);
    p->topics = info.topics;
    p->words = cli_zeroed((size_t)info.topics * COMPARED, sizeof *p->words);
    p->n = cli_zeroed(info.topics, sizeof *p->n);
    for (uint32_t k = 0; k < info.topics; k++) {
        ezlda_status status =
            ezlda_model_top_words(p->words + (size_t)k * COMPARED, COMPARED, &p->n[k], p->context,
                                  p->model, k, EZLDA_BY_PROBABILITY, 1);
        if (status != EZLDA_OK)
            return status;
    }
    return EZLDA_OK;
}

static void close_prompts(prompts *p)
{
    free(p->words);
    free(p->n);
}

/* What two topics share of their first words: the sum of the smaller probability. */
static double overlap(const prompts *p, uint32_t a, uint32_t b)
{
    const ezlda_scored *x = p->words + (size_t)a * COMPARED, *y = p->words + (size_t)b * COMPARED;
    double sum = 0;
    for (size_t i = 0; i < p->n[a]; i++)
        for (size_t j = 0; j < p->n[b]; j++)
            if (x[i].id == y[j].id)
                sum += x[i].probability < y[j].probability ? x[i].probability : y[j].probability;
    return sum;
}

/* The topics that share most with a topic; returns how many. */
static size_t neighbours(const prompts *p, uint32_t topic, uint32_t *out)
{
    double best[NEIGHBOURS];
    size_t n = 0;
    for (uint32_t k = 0; k < p->topics; k++) {
        double shared =
            k == topic || ezlda_model_topic_hidden(p->model, k) ? 0 : overlap(p, topic, k);
        if (shared <= 0 || (n == NEIGHBOURS && shared <= best[n - 1]))
            continue;
        size_t at = n < NEIGHBOURS ? n++ : n - 1;
        for (; at > 0 && best[at - 1] < shared; at--) {
            best[at] = best[at - 1];
            out[at] = out[at - 1];
        }
        best[at] = shared;
        out[at] = k;
    }
    return n;
}

static void put_words(json_out *json, const prompts *p, const char *key, const ezlda_scored *words,
                      size_t n)
{
    json_key(json, key);
    json_open(json, '[', false);
    for (size_t i = 0; i < n; i++)
        json_string(json, ezlda_model_word(p->model, (uint32_t)words[i].id));
    json_close(json, ']');
}

static void put_first(json_out *json, const prompts *p, uint32_t topic, size_t most)
{
    size_t n = p->n[topic] < most ? p->n[topic] : most;
    put_words(json, p, "words", p->words + (size_t)topic * COMPARED, n);
}

static void put_neighbours(json_out *json, const prompts *p, uint32_t topic)
{
    uint32_t near[NEIGHBOURS];
    size_t n = neighbours(p, topic, near);
    json_key(json, "neighbours");
    json_open(json, '[', false);
    for (size_t i = 0; i < n; i++) {
        json_open(json, '{', false);
        json_put_u64(json, "topic", near[i]);
        if (*ezlda_model_topic_name(p->model, near[i]))
            json_put_string(json, "name", ezlda_model_topic_name(p->model, near[i]));
        put_first(json, p, near[i], NEIGHBOUR_WORDS);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static ezlda_status put_documents(json_out *json, const prompts *p, uint32_t topic)
{
    ezlda_scored docs[DOCUMENTS];
    size_t n = 0;
    ezlda_status status = ezlda_model_top_docs(docs, DOCUMENTS, &n, p->context, p->model, topic);
    json_key(json, "documents");
    json_open(json, '[', false);
    for (size_t i = 0; i < n; i++)
        json_string(json, ezlda_model_doc_name(p->model, docs[i].id));
    json_close(json, ']');
    return status;
}

static const char request[] =
    "Name this topic in one to four words that fit its words and documents and none of its "
    "neighbours. Answer with one JSON object on one line: its topic (a number) and its name (a "
    "string).";

static ezlda_status put_prompt(json_out *json, const prompts *p, uint32_t topic)
{
    ezlda_scored lifted[WORDS];
    size_t n = 0;
    ezlda_status status = ezlda_model_top_words(lifted, WORDS, &n, p->context, p->model, topic,
                                                EZLDA_BY_RELEVANCE, NAME_LAMBDA);
    if (status != EZLDA_OK)
        return status;
    json_open(json, '{', false);
    json_put_string(json, "prompt", request);
    json_put_u64(json, "topic", topic);
    if (*ezlda_model_topic_name(p->model, topic))
        json_put_string(json, "name_now", ezlda_model_topic_name(p->model, topic));
    put_first(json, p, topic, WORDS);
    put_words(json, p, "distinctive", lifted, n);
    status = put_documents(json, p, topic);
    put_neighbours(json, p, topic);
    json_close(json, '}');
    return status;
}

static int write_all(const prompts *p, const char *path)
{
    platform_memory memory;
    ezlda_status status = EZLDA_OK;
    if (!platform_memory_open(&memory))
        return cli_fail("not enough memory");
    for (uint32_t k = 0; k < p->topics && status == EZLDA_OK; k++) {
        json_out json = {.file = memory.file};
        if (!ezlda_model_topic_hidden(p->model, k))
            status = put_prompt(&json, p, k);
    }
    bool failed = !platform_memory_close(&memory);
    int exit_status = status != EZLDA_OK ? cli_fail_library(p->context, status)
                      : failed           ? cli_fail("not enough memory")
                                         : output_write(path, memory.bytes, memory.n);
    free(memory.bytes);
    return exit_status;
}

int prompts_write(const ezlda_model *model, ezlda_context *context, const char *path)
{
    prompts p = {.model = model, .context = context};
    ezlda_status status = open_prompts(&p);
    int exit_status = status == EZLDA_OK ? write_all(&p, path) : cli_fail_library(context, status);
    close_prompts(&p);
    return exit_status;
}

/* ---- names ---- */

/* Removes words that no name can have. Returns how many are left. */
static size_t sound_words(const ezlda_model *model, ezlda_scored *words, size_t n)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (!names_has_control(ezlda_model_word(model, (uint32_t)words[i].id)))
            words[left++] = words[i];
    return left;
}

/* Shortens a text to `most` bytes, or fewer: no character is cut. */
static void cut_to(cli_text *text, size_t most)
{
    if (text->n <= most)
        return;
    while (most > 0 && ((unsigned char)text->data[most] & 0xc0) == 0x80)
        most--;
    while (most > 0 && strchr(", ", text->data[most - 1])) /* between two words */
        most--;
    text->n = most;
    text->data[most] = 0;
}

/* The first n of these words, as far as a name can have them, and then the topic if it is asked
 * for. */
static void join_words(cli_text *name, const ezlda_model *model, const ezlda_scored *words,
                       size_t n, const char *last)
{
    text_clear(name);
    for (size_t i = 0; i < n; i++)
        text_printf(name, "%s%s", i ? ", " : "", ezlda_model_word(model, (uint32_t)words[i].id));
    cut_to(name, NAME_BYTES - strlen(last));
    text_printf(name, "%s", last);
}

static bool is_used(char **names, uint32_t topics, const char *name)
{
    for (uint32_t k = 0; k < topics; k++)
        if (names[k] && text_same_letters(names[k], name))
            return true;
    return false;
}

static char *copy_of(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(cli_zeroed(size, 1), text, size);
}

/* Names a topic by as many of its words as it takes to differ from the names that there are. */
static ezlda_status choose_name(char **names, uint32_t topics, const ezlda_model *model,
                                ezlda_context *context, uint32_t topic)
{
    ezlda_scored words[NAME_MOST];
    size_t n = 0, used = NAME_LEAST;
    cli_text name = {0};
    ezlda_status status = ezlda_model_top_words(words, NAME_MOST, &n, context, model, topic,
                                                EZLDA_BY_RELEVANCE, NAME_LAMBDA);
    char last[16];
    if (status == EZLDA_OK)
        n = sound_words(model, words, n);
    if (status != EZLDA_OK || n == 0)
        return status;
    do
        join_words(&name, model, words, used < n ? used : n, "");
    while (is_used(names, topics, name.data) && used++ < n);
    snprintf(last, sizeof last, " %u", topic);
    if (is_used(names, topics, name.data))
        join_words(&name, model, words, n, last);
    names[topic] = copy_of(name.data);
    text_free(&name);
    return EZLDA_OK;
}

ezlda_status prompts_names(cli_text *operations, const ezlda_model *model, ezlda_context *context)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    char **names = cli_zeroed(info.topics, sizeof *names);
    ezlda_status status = EZLDA_OK;
    for (uint32_t k = 0; k < info.topics; k++)
        if (*ezlda_model_topic_name(model, k))
            names[k] = copy_of(ezlda_model_topic_name(model, k));
    for (uint32_t k = 0; k < info.topics && status == EZLDA_OK; k++) {
        if (names[k] || ezlda_model_topic_hidden(model, k))
            continue;
        status = choose_name(names, info.topics, model, context, k);
        if (names[k])
            text_printf(operations, "rename %u \"%s\"\n", k, names[k]);
    }
    for (uint32_t k = 0; k < info.topics; k++)
        free(names[k]);
    free(names);
    return status;
}
