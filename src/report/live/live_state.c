/* Keeps the curves of a run, at most EZ_LIVE_POINTS points, and writes them and the topics of a
 * snapshot as JSON. */
#include "report/live/live_state.h"

#include "base/json_writer.h"
#include "base/os/os_process.h"
#include "report/content/best_list.h"

#include <math.h>

void ez_live_state_free(ez_live_state *state)
{
    ez_free(state->llpt.data);
    ez_free(state->checks.data);
    ez_free(state->text.data);
}

/* ---- keeping ---- */

static ezlda_status add_score(ez_buffer *scores, ezlda_context *context, uint32_t iteration,
                              double value)
{
    const ez_live_score score = {iteration, value};
    return ez_buffer_append(scores, context, &score, sizeof score);
}

/* Keeps every second point, once there is no room. */
static void thin_points(ez_live_state *state)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < state->points; i += 2)
        state->point[n++] = state->point[i];
    state->points = n;
    state->every *= 2;
}

static uint32_t last_check(const ez_live_state *state)
{
    const ez_live_score *check = (const ez_live_score *)(const void *)state->checks.data;
    size_t n = state->checks.used / sizeof *check;
    return n ? check[n - 1].iteration : 0;
}

ezlda_status ez_live_note(ez_live_state *state, ezlda_context *context,
                          const ezlda_progress *progress)
{
    ezlda_run_check check = {.size = sizeof check};
    if (!state->every) {
        state->every = 1;
        state->began_ns = ez_os_clock_ns();
    }
    state->last = (ez_live_point){
        .iteration = progress->iteration,
        .seconds = progress->seconds,
        .moved = progress->moved,
        .rate = progress->iteration_seconds > 0
                    ? (double)progress->tokens / progress->iteration_seconds
                    : 0,
    };
    state->iterations = progress->iterations;
    state->tokens = progress->tokens;
    if (state->points == EZ_LIVE_POINTS)
        thin_points(state);
    if (progress->iteration % state->every == 0)
        state->point[state->points++] = state->last;
    if (!isnan(progress->llpt))
        EZ_TRY(add_score(&state->llpt, context, progress->iteration, progress->llpt));
    if (ezlda_train_last_check(progress, &check) && check.iteration != last_check(state))
        EZ_TRY(add_score(&state->checks, context, check.iteration, check.perplexity));
    return EZLDA_OK;
}

/* ---- writing ---- */

static void put_scores(ez_json *json, const char *key, const ez_buffer *scores)
{
    const ez_live_score *score = (const ez_live_score *)(const void *)scores->data;
    ez_json_key(json, key);
    ez_json_begin(json, '[');
    for (size_t i = 0; i < scores->used / sizeof *score; i++) {
        ez_json_begin(json, '[');
        ez_json_whole(json, score[i].iteration);
        ez_json_real(json, score[i].value);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

static void put_points(ez_json *json, const ez_live_state *state)
{
    ez_json_key(json, "curve");
    ez_json_begin(json, '[');
    for (uint32_t i = 0; i < state->points; i++) {
        ez_json_begin(json, '[');
        ez_json_whole(json, state->point[i].iteration);
        ez_json_real(json, state->point[i].seconds);
        ez_json_real(json, state->point[i].moved);
        ez_json_real(json, state->point[i].rate);
        ez_json_end(json, ']');
    }
    ez_json_end(json, ']');
}

ezlda_status ez_live_write(ez_live_state *state, ezlda_context *context,
                           const ezlda_progress *progress, bool ended)
{
    state->text.used = 0;
    ez_json json = {.context = context, .text = &state->text};
    double elapsed = state->began_ns ? (double)(ez_os_clock_ns() - state->began_ns) * 1e-9 : 0;
    uint32_t done = state->last.iteration;
    ez_json_begin(&json, '{');
    ez_json_pair(&json, "iteration", whole, done);
    ez_json_pair(&json, "iterations", whole, state->iterations);
    ez_json_pair(&json, "tokens", whole, state->tokens);
    ez_json_pair(&json, "seconds", real, state->last.seconds);
    ez_json_pair(&json, "elapsed", real, elapsed);
    ez_json_pair(&json, "moved", real, state->last.moved);
    ez_json_pair(&json, "rate", real, state->last.rate);
    ez_json_pair(&json, "skipped", real, progress ? progress->skipped : NAN);
    ez_json_pair(&json, "ended", bool, ended);
    put_scores(&json, "llpt", &state->llpt);
    put_scores(&json, "checks", &state->checks);
    put_points(&json, state);
    ez_json_end(&json, '}');
    return json.status;
}

static void put_topic(ez_json *json, const ezlda_model *model, uint32_t topic)
{
    ezlda_scored word[EZ_LIVE_WORDS];
    size_t n = 0;
    if (json->status == EZLDA_OK)
        json->status = ezlda_model_top_words(word, EZ_LIVE_WORDS, &n, json->context, model, topic,
                                             EZLDA_BY_PROBABILITY, 1);
    ez_json_begin(json, '{');
    ez_json_pair(json, "topic", whole, topic);
    ez_json_key(json, "words");
    ez_json_begin(json, '[');
    for (size_t i = 0; i < n; i++)
        ez_json_string(json, ezlda_model_word(model, (uint32_t)word[i].id));
    ez_json_end(json, ']');
    ez_json_end(json, '}');
}

ezlda_status ez_live_topics(ez_live_state *state, ezlda_context *context, const ezlda_model *model,
                            uint32_t iteration)
{
    ezlda_model_info info = {.size = sizeof info};
    ez_best_item item[EZ_LIVE_TOPICS];
    ez_best_list best = {item, 0, EZ_LIVE_TOPICS};
    ez_json json = {.context = context, .text = &state->text};
    const uint64_t *tokens = ezlda_model_topic_tokens(model);
    state->text.used = 0;
    ezlda_model_get_info(model, &info);
    ez_json_begin(&json, '{');
    ez_json_pair(&json, "iteration", whole, iteration);
    ez_json_key(&json, "tokens");
    ez_json_begin(&json, '[');
    for (uint32_t k = 0; k < info.topics; k++) {
        ez_json_whole(&json, tokens[k]);
        ez_best_offer(&best, (double)tokens[k], k, 0);
    }
    ez_json_end(&json, ']');
    ez_best_sort(&best);
    ez_json_key(&json, "topics");
    ez_json_begin(&json, '[');
    for (uint32_t i = 0; i < best.n; i++)
        put_topic(&json, model, item[i].id);
    ez_json_end(&json, ']');
    ez_json_end(&json, '}');
    return json.status;
}
