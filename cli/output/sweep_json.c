/* Prints the scores of `ezlda sweep` as JSON. */
#include "output/json_out.h"
#include "output/sweep_report.h"

#include <inttypes.h>
#include <stdio.h>

/* A number of topics; 0 becomes null. */
static void key_topics(json_out *json, const char *key, uint32_t topics)
{
    json_key(json, key);
    if (topics)
        json_u64(json, topics);
    else
        json_string(json, NULL);
}

static void put_row(json_out *json, const ezlda_sweep_row *row)
{
    json_open(json, '{', false);
    json_put_u64(json, "topics", row->topics);
    json_put_u64(json, "seeds", row->runs);
    json_put_real(json, "perplexity", row->perplexity);
    json_put_real(json, "standard_error", row->error);
    json_put_real(json, "spread", row->spread);
    json_put_real(json, "npmi", row->npmi);
    json_put_real(json, "c_v", row->c_v);
    json_put_real(json, "u_mass", row->u_mass);
    json_put_real(json, "diversity", row->diversity);
    json_put_real(json, "exclusivity", row->exclusivity);
    json_put_real(json, "stability", row->stability);
    json_put_real(json, "llpt", row->llpt);
    json_put_real(json, "seconds", row->seconds);
    json_put_real(json, "to_best", row->to_best);
    json_put_real(json, "to_best_error", row->to_best_error);
    json_put_real(json, "to_unigram", row->to_unigram);
    json_put_real(json, "to_unigram_error", row->to_unigram_error);
    json_close(json, '}');
}

static void put_run(json_out *json, const ezlda_sweep_run *run)
{
    char hash[24];
    json_open(json, '{', false);
    json_put_u64(json, "topics", run->topics);
    json_put_u64(json, "seed", run->seed);
    json_put_u64(json, "iterations", run->iterations);
    json_put_real(json, "perplexity", run->completion.perplexity);
    json_put_real(json, "standard_error", run->completion.error);
    json_put_real(json, "npmi", run->npmi);
    json_put_real(json, "c_v", run->c_v);
    json_put_real(json, "u_mass", run->u_mass);
    json_put_real(json, "diversity", run->diversity);
    json_put_real(json, "exclusivity", run->exclusivity);
    json_put_real(json, "similarity", run->similarity);
    json_put_real(json, "llpt", run->llpt);
    json_put_real(json, "seconds", run->seconds);
    json_put_real(json, "scoring_seconds", run->scoring_seconds);
    snprintf(hash, sizeof hash, "%016" PRIx64, run->topics_hash);
    json_put_string(json, "topics_hash", hash);
    json_close(json, '}');
}

static void put_corpus(json_out *json, const char *key, uint64_t docs, uint64_t tokens)
{
    json_key(json, key);
    json_open(json, '{', false);
    json_put_u64(json, "documents", docs);
    json_put_u64(json, "tokens", tokens);
    json_close(json, '}');
}

static void put_facts(json_out *json, const ezlda_sweep_scores *scores,
                      const ezlda_sweep_info *info)
{
    ezlda_sweep_row first = {.size = sizeof first};
    ezlda_sweep_get_row(scores, 0, &first);
    put_corpus(json, "trained_on", info->docs, info->tokens);
    put_corpus(json, "held_out", info->held_docs, info->held_tokens);
    json_put_u64(json, "held_out_unseen_tokens", info->held_unseen);
    json_key(json, "unigram");
    json_open(json, '{', false);
    json_put_real(json, "perplexity", first.unigram);
    json_put_real(json, "standard_error", first.unigram_error);
    json_close(json, '}');
    json_put_u64(json, "npmi_window", info->npmi_window);
    json_put_u64(json, "c_v_window", info->c_v_window);
    json_put_bool(json, "stopped", info->stopped);
    key_topics(json, "recommended", info->recommended);
    key_topics(json, "best_perplexity", info->best_perplexity);
    key_topics(json, "best_npmi", info->best_npmi);
    key_topics(json, "best_stability", info->best_stability);
}

void sweep_json(const ezlda_sweep_scores *scores)
{
    json_out json = {.file = stdout};
    ezlda_sweep_info info = {.size = sizeof info};
    ezlda_sweep_row row = {.size = sizeof row};
    ezlda_sweep_run run = {.size = sizeof run};
    ezlda_sweep_get_info(scores, &info);
    json_open(&json, '{', true);
    put_facts(&json, scores, &info);
    json_key(&json, "rows");
    json_open(&json, '[', true);
    for (size_t i = 0; ezlda_sweep_get_row(scores, i, &row); i++)
        put_row(&json, &row);
    json_close(&json, ']');
    json_key(&json, "runs");
    json_open(&json, '[', true);
    for (size_t i = 0; ezlda_sweep_get_run(scores, i, &run); i++)
        if (run.done)
            put_run(&json, &run);
    json_close(&json, ']');
    json_close(&json, '}');
}
