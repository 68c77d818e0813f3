/* Serves the live page from a thread of its own. The training thread hands over finished JSON under
 * a lock, so that an answer never waits for the run, and the run never for an answer. */
#include "base/json_writer.h"
#include "base/options_struct.h"
#include "base/os/os_process.h"
#include "base/os/os_threads.h"
#include "report/live/live_state.h"
#include "report/page/page_data.h"
#include "report/server/http_server.h"

#include <stdio.h>
#include <string.h>

/* A page asks once per second. EZ_LAST_WAIT_MS: how long the end waits for a page to see it. */
enum { EZ_TOKEN_BYTES = 16, EZ_WATCHED_MS = 5000, EZ_LAST_WAIT_MS = 1500 };

struct ezlda_live {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ezlda_context *context; /* of the thread */
    uint16_t port;
    char path[2 * EZ_TOKEN_BYTES + 3]; /* "/TOKEN/" */
    char address[96];
    ez_buffer page;
    ez_live_state state; /* of the training thread */
    int64_t model_began, model_ended;
    /* under the lock: */
    bool open, ended, stop, failed, seen_end;
    int64_t asked_ns; /* when a page last asked; 0: never */
    ez_buffer progress, topics;
};

void ezlda_live_options_init_sized(ezlda_live_options *options, size_t size)
{
    ezlda_live_options defaults = {.size = sizeof defaults};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

/* ---- the thread of the server ---- */

static ezlda_status answer_json(ezlda_live *live, ez_http_answer *answer, const ez_buffer *json)
{
    pthread_mutex_lock(&live->lock);
    live->asked_ns = ez_os_clock_ns();
    live->seen_end = live->ended && json == &live->progress;
    ezlda_status status =
        json->used ? ez_buffer_append(&answer->body, live->context, json->data, json->used)
                   : ez_buffer_append(&answer->body, live->context, "{}", 2);
    pthread_mutex_unlock(&live->lock);
    return status;
}

static ezlda_status answer_request(void *user, const ez_http_request *request,
                                   ez_http_answer *answer)
{
    ezlda_live *live = user;
    size_t n = strlen(live->path);
    const char *what = strncmp(request->path, live->path, n) == 0 ? request->path + n : NULL;
    if (what && !*what) {
        answer->type = "text/html; charset=utf-8";
        answer->page = live->page.data;
        answer->page_bytes = live->page.used;
        return EZLDA_OK;
    }
    if (what && strcmp(what, "progress") == 0)
        return answer_json(live, answer, &live->progress);
    if (what && strcmp(what, "topics") == 0)
        return answer_json(live, answer, &live->topics);
    static const char *const refusals[] = {"the address needs its token", "there is nothing here"};
    answer->status = what ? 404 : 403;
    answer->type = "text/plain; charset=utf-8";
    answer->page = (const unsigned char *)refusals[what != NULL];
    answer->page_bytes = strlen(refusals[what != NULL]);
    return EZLDA_OK;
}

static int running(uint16_t port, void *user)
{
    ezlda_live *live = user;
    pthread_mutex_lock(&live->lock);
    if (!live->open) {
        live->port = port;
        live->open = true;
        pthread_cond_broadcast(&live->changed);
    }
    bool stop = live->stop;
    pthread_mutex_unlock(&live->lock);
    return stop;
}

static void *serve(void *user)
{
    ezlda_live *live = user;
    const ez_http_service service = {.port = live->port,
                                     .answer = answer_request,
                                     .user = live,
                                     .running = running,
                                     .running_user = live};
    ezlda_status status = ez_http_serve(live->context, &service);
    pthread_mutex_lock(&live->lock);
    live->failed = status != EZLDA_OK;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->lock);
    return NULL;
}

/* ---- opening and closing ---- */

static ezlda_status make_path(ezlda_live *live, ezlda_context *context)
{
    unsigned char bytes[EZ_TOKEN_BYTES];
    if (!ez_os_random(bytes, sizeof bytes))
        return ez_fail(context, EZLDA_ERROR_UNSUPPORTED, "the system has no random numbers");
    live->path[0] = '/';
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(live->path + 1 + 2 * i, 3, "%02x", bytes[i]);
    live->path[1 + 2 * sizeof bytes] = '/';
    live->path[2 + 2 * sizeof bytes] = '\0';
    return EZLDA_OK;
}

static ezlda_status start(ezlda_live *live, ezlda_context *context)
{
    if (pthread_create(&live->thread, NULL, serve, live) != 0)
        return ez_fail(context, EZLDA_ERROR_MEMORY, "the live page: no thread can be started");
    pthread_mutex_lock(&live->lock);
    while (!live->open && !live->failed)
        pthread_cond_wait(&live->changed, &live->lock);
    bool failed = live->failed;
    pthread_mutex_unlock(&live->lock);
    if (!failed) {
        snprintf(live->address, sizeof live->address, "http://127.0.0.1:%u%s", live->port,
                 live->path);
        return EZLDA_OK;
    }
    pthread_join(live->thread, NULL);
    return ez_fail(context, EZLDA_ERROR_IO, "%s", ezlda_error_message(live->context));
}

static void release(ezlda_live *live)
{
    pthread_mutex_destroy(&live->lock);
    pthread_cond_destroy(&live->changed);
    ez_live_state_free(&live->state);
    ez_free(live->page.data);
    ez_free(live->progress.data);
    ez_free(live->topics.data);
    ezlda_context_free(live->context);
    ez_free(live);
}

ezlda_status ezlda_live_open(ezlda_live **out, ezlda_context *context,
                             const ezlda_live_options *options)
{
    ezlda_live_options checked;
    ezlda_live *live;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the live page"));
    *out = NULL;
    ezlda_live_options_init(&checked);
    EZ_TRY(ez_options_read(&checked, sizeof checked, context, options, "live"));
    EZ_TRY(ez_array_zero(&live, context, 1, sizeof *live, "the live page"));
    pthread_mutex_init(&live->lock, NULL);
    ez_os_condition_init(&live->changed);
    live->port = checked.port;
    ezlda_status status = ezlda_context_create(&live->context);
    if (status != EZLDA_OK)
        status = ez_fail(context, status, "the live page: not enough memory");
    if (status == EZLDA_OK)
        status = make_path(live, context);
    if (status == EZLDA_OK)
        status = ez_live_page_make(checked.title ? checked.title : "Topics", context, &live->page);
    if (status == EZLDA_OK)
        status = start(live, context);
    if (status == EZLDA_OK)
        *out = live;
    else
        release(live);
    return status;
}

const char *ezlda_live_address(const ezlda_live *live)
{
    return live ? live->address : "";
}

/* Replaces what an answer has by a newer text. */
static void publish(ezlda_live *live, ez_buffer *answer, ez_buffer *text)
{
    pthread_mutex_lock(&live->lock);
    ez_buffer old = *answer;
    *answer = *text;
    pthread_mutex_unlock(&live->lock);
    *text = old;
    text->used = 0;
}

static bool watched(ezlda_live *live)
{
    pthread_mutex_lock(&live->lock);
    int64_t asked = live->asked_ns;
    pthread_mutex_unlock(&live->lock);
    return asked && ez_os_clock_ns() - asked < (int64_t)EZ_WATCHED_MS * 1000000;
}

ezlda_status ezlda_live_progress(ezlda_live *live, ezlda_context *context,
                                 const ezlda_progress *progress)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, live, "a live page"));
    EZ_TRY(ez_needs(context, progress, "the progress of a run"));
    EZ_TRY(ez_live_note(&live->state, context, progress));
    bool last = progress->iteration == progress->iterations;
    int64_t now = ez_os_clock_ns();
    if (now - live->state.written_ns < (int64_t)EZ_LIVE_WRITE_MS * 1000000 && !last)
        return EZLDA_OK;
    live->state.written_ns = now;
    EZ_TRY(ez_live_write(&live->state, context, progress, false));
    publish(live, &live->progress, &live->state.text);
    return EZLDA_OK;
}

int ezlda_live_wants_model(ezlda_live *live)
{
    if (!live || !watched(live))
        return 0;
    int64_t now = ez_os_clock_ns(), took = live->model_ended - live->model_began;
    int64_t least = (int64_t)EZ_LIVE_MODEL_MS * 1000000;
    int64_t wait = took * EZ_LIVE_MODEL_TIMES > least ? took * EZ_LIVE_MODEL_TIMES : least;
    if (live->model_ended && now - live->model_ended < wait)
        return 0;
    live->model_began = now;
    live->model_ended = now;
    return 1;
}

ezlda_status ezlda_live_model(ezlda_live *live, ezlda_context *context, const ezlda_model *model,
                              uint32_t iteration)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, live, "a live page"));
    EZ_TRY(ez_needs(context, model, "a model"));
    EZ_TRY(ez_live_topics(&live->state, context, model, iteration));
    publish(live, &live->topics, &live->state.text);
    live->model_ended = ez_os_clock_ns();
    return EZLDA_OK;
}

void ezlda_live_end(ezlda_live *live, ezlda_context *context)
{
    if (!live || live->ended)
        return;
    ezlda_status status = ez_live_write(&live->state, context, NULL, true);
    if (status == EZLDA_OK)
        publish(live, &live->progress, &live->state.text);
    pthread_mutex_lock(&live->lock);
    live->ended = true;
    pthread_mutex_unlock(&live->lock);
}

void ezlda_live_close(ezlda_live *live)
{
    if (!live)
        return;
    bool done = !live->ended || !watched(live);
    for (int waited = 0; !done && waited < EZ_LAST_WAIT_MS; waited += 50) {
        pthread_mutex_lock(&live->lock);
        done = live->seen_end;
        pthread_mutex_unlock(&live->lock);
        ez_os_pause(INT64_C(50000000)); /* also after that, so that the answer leaves */
    }
    pthread_mutex_lock(&live->lock);
    live->stop = true;
    pthread_mutex_unlock(&live->lock);
    pthread_join(live->thread, NULL);
    release(live);
}
