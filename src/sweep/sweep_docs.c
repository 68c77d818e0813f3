/* Keeps a run's scores of the held-out documents in a container beside its model. */
#include "base/files/container.h"
#include "base/os/os_files.h"
#include "eval/perplexity.h"
#include "sweep/sweep.h"

#define DOCS_MAGIC "EZLDASWP"
enum { DOCS_VERSION = 1 };
static const uint32_t DOCS_TAG = EZ_TAG('D', 'O', 'C', 'S');

static ezlda_status write_docs(ezlda_context *context, const char *path, const ez_buffer *docs)
{
    ez_container_writer *writer = NULL;
    ezlda_status status;
    EZ_TRY(ez_container_writer_open(&writer, context, path, DOCS_MAGIC, DOCS_VERSION));
    EZ_TRY_GOTO(ez_container_begin(writer, context, DOCS_TAG));
    if (docs->used)
        EZ_TRY_GOTO(ez_container_write(writer, context, docs->data, docs->used));
    return ez_container_finish(writer, context, NULL);
done:
    ez_container_writer_abandon(writer);
    return status;
}

ezlda_status ez_sweep_docs_put(const ez_sweep *s, const ezlda_sweep_run *run, const ez_buffer *docs)
{
    char *path = NULL;
    EZ_TRY(ez_sweep_docs_path(&path, s, run));
    ezlda_status status = write_docs(s->context, path, docs);
    ez_free(path);
    return status;
}

/* Whether the scores belong to the run: added in the order of the evaluation, they give its sums to
 * the last bit. */
static bool match_sums(const ezlda_perplexity *sums, const ez_buffer *docs)
{
    const ez_doc_score *doc = (const ez_doc_score *)(const void *)docs->data;
    size_t n = docs->used / sizeof *doc;
    ez_score_sums found = {0};
    for (size_t d = 0; d < n; d++)
        ez_score_add(&found, doc[d].tokens, doc[d].model);
    return docs->used % sizeof *doc == 0 && found.docs == sums->docs &&
           found.tokens == sums->tokens && (found.tokens == 0 || found.l == sums->log_likelihood);
}

static ezlda_status read_docs(ezlda_context *context, const char *path, ez_buffer *docs)
{
    ez_container *container = NULL;
    uint64_t bytes = 0;
    ezlda_status status = ez_container_open(&container, context, path, DOCS_MAGIC, DOCS_VERSION);
    if (status == EZLDA_ERROR_FORMAT || status == EZLDA_ERROR_UNSUPPORTED) {
        ez_warn(context, "%s; its model is scored again", ezlda_error_message(context));
        ez_clear(context);
        return EZLDA_OK;
    }
    EZ_TRY(status);
    const void *section = ez_container_section(container, DOCS_TAG, &bytes);
    if (section && bytes)
        status = ez_buffer_append(docs, context, section, bytes);
    ez_container_free(container);
    return status;
}

ezlda_status ez_sweep_docs_get(const ez_sweep *s, const ezlda_sweep_run *run, ez_buffer *docs,
                               bool *whole)
{
    char *path = NULL;
    *whole = false;
    EZ_TRY(ez_sweep_docs_path(&path, s, run));
    bool there = ez_os_is_there(path);
    docs->used = 0;
    ezlda_status status = there ? read_docs(s->context, path, docs) : EZLDA_OK;
    *whole = there && status == EZLDA_OK && match_sums(&run->completion, docs);
    ez_free(path);
    return status;
}
