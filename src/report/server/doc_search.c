/* Searches names and labels of documents, with case and accents folded. */
#include "report/server/doc_search.h"

#include "corpus/input/utf8.h"

#include <string.h>
#include <utf8proc.h>

enum { EZ_SEARCH_BLOCK = 4096, EZ_QUERY_MOST = 256 };

typedef struct search_job {
    const ezlda_report *report;
    uint32_t code[EZ_QUERY_MOST]; /* the folded query */
    size_t n;
    uint64_t number; /* of a document, or UINT64_MAX */
    uint64_t exact;  /* the first document whose name is the query, or UINT64_MAX */
} search_job;

bool ez_take_number(const char *text, uint64_t end, uint64_t *number)
{
    size_t n = strspn(text, "0123456789");
    *number = 0;
    if (!n || text[n] || n > 18)
        return false;
    for (size_t i = 0; i < n; i++)
        *number = 10 * *number + (uint64_t)(text[i] - '0');
    return *number < end;
}

static bool is_accent(utf8proc_int32_t code)
{
    return code >= 0x300 && code <= 0x36f;
}

enum { EZ_FOLDED_MOST = 18 };

/* Folds a character: lower case, one form of s in German and Greek, and no accents on Latin, Greek
 * and Cyrillic letters. A character may become none (an accent that follows its letter) or several
 * (a ligature); returns how many. The page folds its own texts in the same way (format.js). */
static size_t fold(uint32_t code, uint32_t out[EZ_FOLDED_MOST])
{
    utf8proc_int32_t part[EZ_FOLDED_MOST];
    int before = 0;
    utf8proc_ssize_t kept = 0;
    out[0] = code >= 'A' && code <= 'Z' ? code + 32 : code;
    if (code < 0x80)
        return 1;
    utf8proc_int32_t low = utf8proc_tolower((utf8proc_int32_t)code);
    if (low == 0xdf) {
        out[0] = out[1] = 's';
        return 2;
    }
    utf8proc_ssize_t parts = utf8proc_decompose_char(low, part, EZ_FOLDED_MOST,
                                                     UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &before);
    for (utf8proc_ssize_t i = 0; i < parts && parts <= EZ_FOLDED_MOST; i++)
        if (!is_accent(part[i]))
            part[kept++] = part[i] == 0x3c2 ? 0x3c3 : utf8proc_tolower(part[i]);
    if (kept > 1) /* marks that are not accents stay with their letter */
        kept = utf8proc_normalize_utf32(part, kept, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    for (utf8proc_ssize_t i = 0; i < kept; i++)
        out[i] = (uint32_t)part[i];
    return kept > 0 ? (size_t)kept : 0;
}

/* Whether a text begins with the query; `whole`: whether it is the query. */
static bool begins(const search_job *job, const char *text, bool whole)
{
    size_t length;
    for (size_t i = 0; i < job->n; text += length) {
        if (!*text)
            return false;
        uint32_t code[EZ_FOLDED_MOST];
        size_t n = fold(ez_utf8_decode(text, &length), code);
        for (size_t j = 0; j < n && i < job->n; j++)
            if (code[j] != job->code[i++])
                return false;
    }
    return !whole || !*text;
}

static bool holds(const search_job *job, const char *text)
{
    if (!text)
        return false;
    for (size_t length; *text; text += length) {
        if (begins(job, text, false))
            return true;
        ez_utf8_decode(text, &length);
    }
    return false;
}

static bool matches(const search_job *job, uint64_t doc)
{
    return doc != job->number && doc != job->exact &&
           (holds(job, ezlda_model_doc_name(job->report->model, doc)) ||
            holds(job, ez_doc_label(job->report, doc)));
}

/* Searches a block of documents: writes the first matches and returns their number. */
static uint64_t search_block(const search_job *job, uint64_t first, uint64_t end, uint64_t *doc,
                             uint32_t most)
{
    uint64_t total = 0;
    for (uint64_t d = first; d < end; d++)
        if (matches(job, d)) {
            if (total < most)
                doc[total] = d;
            total++;
        }
    return total;
}

static ezlda_status search_all(const search_job *job, ezlda_context *context, ez_doc_search *found)
{
    uint64_t docs = job->report->model->meta->docs,
             blocks = (docs + EZ_SEARCH_BLOCK - 1) / EZ_SEARCH_BLOCK;
    uint64_t *doc = NULL, *total = NULL;
    ezlda_status status;
    EZ_TRY_GOTO(
        ez_array(&doc, context, ez_product(blocks, found->most), sizeof *doc, "documents found"));
    EZ_TRY_GOTO(ez_array(&total, context, (size_t)blocks, sizeof *total, "documents found"));
#pragma omp parallel for schedule(dynamic, 4) num_threads(ez_threads(context))
    for (uint64_t b = 0; b < blocks; b++) {
        uint64_t end = (b + 1) * EZ_SEARCH_BLOCK < docs ? (b + 1) * EZ_SEARCH_BLOCK : docs;
        total[b] = search_block(job, b * EZ_SEARCH_BLOCK, end, doc + b * found->most, found->most);
    }
    for (uint64_t b = 0; b < blocks; b++) {
        for (uint64_t i = 0; i < total[b] && i < found->most && found->n < found->most; i++)
            found->doc[found->n++] = doc[b * found->most + i];
        found->total += total[b];
    }
done:
    ez_free(doc);
    ez_free(total);
    return status;
}

static uint64_t find_exact(const search_job *job, const ezlda_context *context)
{
    uint64_t first = UINT64_MAX, docs = job->report->model->meta->docs;
#pragma omp parallel for reduction(min : first) num_threads(ez_threads(context))
    for (uint64_t doc = 0; doc < docs; doc++) {
        const char *name = ezlda_model_doc_name(job->report->model, doc);
        if (doc < first && job->n && name && begins(job, name, true))
            first = doc;
    }
    return first;
}

/* Whether a document is called by the number of its line, which is one above its own. */
static bool is_line(const ezlda_report *report, uint64_t doc)
{
    const char *name = ezlda_model_doc_name(report->model, doc);
    return name && *name && !name[strspn(name, "0123456789")];
}

ezlda_status ez_find_documents(const ezlda_report *report, ezlda_context *context,
                               const char *query, ez_doc_search *found)
{
    search_job job = {.report = report, .number = UINT64_MAX, .exact = UINT64_MAX};
    uint64_t number;
    size_t length;
    const char *digits =
        strncmp(query, "document ", 9) == 0 ? query + 9 : query; /* as in ez_doc_title */
    if (!ez_take_number(digits, report->model->meta->docs, &number))
        number = UINT64_MAX;
    for (; *query && job.n < EZ_QUERY_MOST; query += length) {
        uint32_t code[EZ_FOLDED_MOST];
        size_t n = fold(ez_utf8_decode(query, &length), code);
        for (size_t i = 0; i < n && job.n < EZ_QUERY_MOST; i++)
            job.code[job.n++] = code[i];
    }
    job.exact = find_exact(&job, context);
    if (job.exact != UINT64_MAX)
        found->doc[found->n++] = job.exact;
    if (number != UINT64_MAX && number != job.exact && !is_line(report, number)) {
        job.number = number;
        found->doc[found->n++] = number;
    }
    found->total = found->n;
    return job.n ? search_all(&job, context, found) : EZLDA_OK;
}
