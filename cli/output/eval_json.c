/* Prints the scores of `ezlda eval` as JSON. */
#include "output/eval_report.h"
#include "output/json_out.h"

#include <stdio.h>

static void key_perplexity(json_out *json, double value, double error)
{
    json_put_real(json, "perplexity", value);
    json_put_real(json, "standard_error", error);
}

/* The share of tokens that no score counts, said beside each. */
static void put_unknown_share(json_out *json, const ezlda_scores_info *info)
{
    json_put_real(json, "unknown_share",
                  (double)info->unknown_tokens / (double)(info->tokens + info->unknown_tokens));
}

static void open_perplexity(json_out *json, const char *key, const ezlda_perplexity *p,
                            const ezlda_scores_info *info)
{
    json_key(json, key);
    json_open(json, '{', true);
    key_perplexity(json, p->perplexity, p->error);
    json_key(json, "unigram");
    json_open(json, '{', false);
    key_perplexity(json, p->unigram, p->unigram_error);
    json_close(json, '}');
    json_put_u64(json, "documents", p->docs);
    json_put_u64(json, "tokens", p->tokens);
    put_unknown_share(json, info);
    json_put_real(json, "log_likelihood", p->log_likelihood);
    json_put_real(json, "seconds", p->seconds);
}

static void put_inference(json_out *json, const ezlda_eval_options *options)
{
    json_put_u64(json, "iterations", options->iterations);
    if (options->samples) /* otherwise the library chooses */
        json_put_u64(json, "samples", options->samples);
    if (options->thin)
        json_put_u64(json, "thin", options->thin);
}

static void put_held_out(json_out *json, const eval_view *view)
{
    const ezlda_scores_info *info = &view->info;
    if (info->measures & EZLDA_MEASURE_COMPLETION) {
        open_perplexity(json, "completion", &info->completion, info);
        put_inference(json, view->options);
        json_close(json, '}');
    }
    if (info->measures & EZLDA_MEASURE_LEFT_TO_RIGHT) {
        open_perplexity(json, "left_to_right", &info->left_to_right, info);
        json_put_u64(json, "sampled_from", info->left_to_right_docs);
        json_put_u64(json, "particles", view->options->particles);
        json_put_u64(json, "resample", view->options->resample);
        json_put_u64(json, "doc_tokens", view->options->doc_tokens);
        json_put_u64(json, "cut_documents", info->left_to_right_cut);
        json_close(json, '}');
    }
}

static void put_llpt(json_out *json, const eval_view *view)
{
    json_key(json, "llpt");
    json_open(json, '{', true);
    json_put_real(json, "value", view->info.llpt);
    put_unknown_share(json, &view->info);
    json_put_real(json, "in_training", view->info.llpt_trained);
    put_inference(json, view->options);
    json_put_real(json, "seconds", view->info.llpt_seconds);
    json_close(json, '}');
}

static void put_window(json_out *json, const char *key, uint32_t window)
{
    json_key(json, key);
    if (window)
        json_u64(json, window);
    else
        json_string(json, "document");
}

static void put_topics(json_out *json, const ezlda_scores *scores)
{
    ezlda_topic_scores topic = {.size = sizeof topic};
    json_key(json, "topics");
    json_open(json, '[', true);
    for (uint32_t t = 0; ezlda_scores_topic(scores, t, &topic); t++) {
        json_open(json, '{', false);
        json_put_u64(json, "topic", t);
        json_put_real(json, "u_mass", topic.u_mass);
        json_put_real(json, "npmi", topic.npmi);
        json_put_real(json, "c_v", topic.c_v);
        json_put_real(json, "exclusivity", topic.exclusivity);
        json_put_u64(json, "words", topic.words);
        json_put_u64(json, "left_out", topic.missing);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_coherence(json_out *json, const eval_view *view)
{
    const ezlda_scores_info *info = &view->info;
    json_key(json, "coherence");
    json_open(json, '{', true);
    json_put_real(json, "u_mass", info->u_mass);
    json_put_real(json, "npmi", info->npmi);
    json_put_real(json, "c_v", info->c_v);
    json_put_real(json, "diversity", info->diversity);
    json_put_real(json, "exclusivity", info->exclusivity);
    json_put_u64(json, "words", info->topic_words);
    put_window(json, "npmi_window", info->npmi_window);
    put_window(json, "c_v_window", info->c_v_window);
    json_put_u64(json, "topics_without", info->topics_without);
    json_put_real(json, "seconds", info->coherence_seconds);
    put_topics(json, view->scores);
    json_close(json, '}');
}

void eval_json(const eval_view *view)
{
    const ezlda_scores_info *info = &view->info;
    json_out json = {.file = stdout};
    json_open(&json, '{', true);
    json_put_string(&json, "model", view->model_path);
    json_put_string(&json, "corpus", view->corpus_path);
    json_put_u64(&json, "topics", info->topics);
    json_put_u64(&json, "documents", info->docs);
    json_put_u64(&json, "tokens", info->tokens);
    json_put_u64(&json, "words", info->words);
    json_put_u64(&json, "unseen_tokens", info->unseen_tokens);
    json_put_u64(&json, "unknown_tokens", info->unknown_tokens);
    json_put_u64(&json, "unknown_words", info->unknown_words);
    json_put_bool(&json, "training_corpus", info->training_corpus);
    json_put_u64(&json, "seed", view->options->seed);
    if (info->device[0]) {
        json_put_string(&json, "device", info->device);
    }
    put_held_out(&json, view);
    if (info->measures & EZLDA_MEASURE_LLPT)
        put_llpt(&json, view);
    if (info->measures & EZLDA_MEASURE_COHERENCE)
        put_coherence(&json, view);
    json_close(&json, '}');
}
