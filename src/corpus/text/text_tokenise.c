/* Step one of the import of text: turns records into lists of word numbers. Threads take turns at
 * reading a block, then parse and tokenise it on their own. If several blocks have errors, the
 * first one is reported. */
#include "base/number_text.h"
#include "corpus/input/utf8.h"
#include "corpus/text/text_pipeline.h"
#include "corpus/text/tokeniser/text_cutting.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

typedef struct tokenise_crew {
    ez_text_job *job;
    omp_lock_t lock; /* for the source, the store and the members below */
    bool stopped;
    ez_block first; /* read already, to find the rules of case */
    bool first_is_waiting;
    ezlda_status status; /* status of the first block with an error */
    uint64_t fault_block;
    size_t fault_input;
    ez_fault fault;
} tokenise_crew;

typedef struct tokenise_worker {
    tokenise_crew *crew;
    int number;
    ez_block block;
    ez_span *slots;
    ez_buffer joined; /* the text of a record, if it has several parts */
    ez_buffer out;    /* the documents of the block */
    uint64_t docs;
    uint64_t *present, labels, records;
    uint64_t text_bytes; /* of the block */
    bool no_text;        /* there is too much text already */
    ez_markup_counts markup;
    ez_encoding_tally tally;
    ez_page_tally page_tally;
} tokenise_worker;

static void record_fault(tokenise_crew *crew, const ez_block *block, ezlda_status status,
                         const ez_fault *fault)
{
    omp_set_lock(&crew->lock);
    crew->stopped = true;
    if (crew->status == EZLDA_OK || block->number < crew->fault_block) {
        crew->status = status;
        crew->fault_block = block->number;
        crew->fault_input = block->input;
        crew->fault = *fault;
    }
    omp_unset_lock(&crew->lock);
}

static bool next_block(tokenise_worker *self)
{
    tokenise_crew *crew = self->crew;
    static const ez_fault none = {0};
    bool more = false;
    ezlda_status status = EZLDA_OK;
    omp_set_lock(&crew->lock);
    if (crew->first_is_waiting) {
        ez_block mine = self->block;
        self->block = crew->first;
        crew->first = mine;
        crew->first_is_waiting = false;
        more = true;
    } else if (!crew->stopped) {
        status = ez_text_source_next(crew->job->source, crew->job->context, &self->block, &more);
    }
    omp_unset_lock(&crew->lock);
    if (status != EZLDA_OK)
        record_fault(crew, &self->block, status, &none);
    return more && status == EZLDA_OK;
}

/* Appends text such as the name of a file, which may be in any encoding: bytes that are not UTF-8
 * become U+FFFD. */
static ezlda_status put_mended(ez_buffer *out, ezlda_context *context, const char *text, size_t n)
{
    for (size_t good; (good = ez_utf8_check(text, n)) < n; text += good + 1, n -= good + 1) {
        EZ_TRY(ez_buffer_append(out, context, text, good));
        EZ_TRY(ez_buffer_append(out, context, "\xef\xbf\xbd", 3));
    }
    return ez_buffer_append(out, context, text, n);
}

static ezlda_status put_field(ez_buffer *out, ezlda_context *context, const char *text, size_t n)
{
    EZ_TRY(put_mended(out, context, text, n));
    return ez_put_field(out, context, "", 0);
}

/* Ends a name; a piece of a record has its number after it. */
static ezlda_status end_name(tokenise_worker *self, uint64_t piece)
{
    char number[EZ_NUMBER_ROOM] = "#";
    size_t n = piece ? 1 + ez_put_whole(number + 1, piece) : 0;
    return ez_put_field(&self->out, self->crew->job->context, number, n);
}

/* A document without a name is called by its line, after the name of the input if there are
 * several. */
static ezlda_status put_name(tokenise_worker *self, uint64_t line, uint64_t piece)
{
    const ez_text_job *job = self->crew->job;
    const ez_span *name = &self->slots[EZ_SLOT_NAME];
    if (!name->at || !name->n)
        name = &self->slots[EZ_SLOT_NAME_ELSE];
    if (name->at && name->n) {
        EZ_TRY(put_mended(&self->out, job->context, name->at, name->n));
        return end_name(self, piece);
    }
    if (job->source->n_paths > 1) {
        const char *path = ez_text_source_name(job->source, self->block.input);
        EZ_TRY(put_mended(&self->out, job->context, path, strlen(path)));
        EZ_TRY(ez_buffer_append(&self->out, job->context, ":", 1));
    }
    EZ_TRY(ez_append_whole(&self->out, job->context, line));
    return end_name(self, piece);
}

/* piece: the number of the text in its record, from 1; 0: it is the only one. */
static ezlda_status add_document(tokenise_worker *self, uint64_t line, ez_span text, uint64_t piece)
{
    const ez_text_job *job = self->crew->job;
    const ez_span *slots = self->slots;
    EZ_TRY(put_name(self, line, piece));
    for (uint32_t i = EZ_SLOT_LABEL; i < job->source->plan->text_parts; i++)
        EZ_TRY(put_field(&self->out, job->context, slots[i].at ? slots[i].at : "", slots[i].n));
    const ez_stop_table *table = job->table.languages ? &job->table : NULL;
    ez_word_rules rules = {&job->tokeniser, &job->stopwords, table, job->join, job->keep_text};
    self->docs++;
    self->text_bytes += text.at ? text.n : 0;
    if (job->keep_text)
        EZ_TRY(ez_put_text(&self->out, job->context, text.at ? text.at : "",
                           text.at && !self->no_text ? text.n : 0));
    return ez_text_words_add(&job->words[self->number], job->context, &rules,
                             text.at ? text.at : "", text.n, &self->out);
}

/* Adds the text of a record, as several documents if it is split. */
static ezlda_status add_text(tokenise_worker *self, uint64_t line, ez_span text)
{
    const ez_split *split = &self->crew->job->source->split;
    ez_pieces pieces = {0};
    ez_span piece, next;
    if (split->used && text.at)
        ez_pieces_begin(&pieces, split, text.at, text.n);
    if (!split->used || !text.at || !ez_pieces_next(&pieces, &piece.at, &piece.n))
        return add_document(self, line, text, 0);
    bool more = ez_pieces_next(&pieces, &next.at, &next.n);
    if (!more)
        return add_document(self, line, piece, 0);
    EZ_TRY(add_document(self, line, piece, 1));
    for (uint64_t number = 2; more; number++) {
        piece = next;
        more = ez_pieces_next(&pieces, &next.at, &next.n);
        EZ_TRY(add_document(self, line, piece, number));
    }
    return EZLDA_OK;
}

static ezlda_status add_record(tokenise_worker *self, uint64_t line)
{
    const ez_text_job *job = self->crew->job;
    const ez_field_plan *plan = job->source->plan;
    EZ_TRY(ez_join_text(plan, job->context, self->slots, &self->joined));
    ez_span *text = &self->slots[EZ_SLOT_TEXT];
    if (text->at && ez_text_is_cleaned(job))
        text->n = ez_markup_clean(text->at, text->n, &self->markup);
    EZ_TRY(add_text(self, line, *text));
    for (uint32_t i = 0; i < plan->slots; i++)
        self->present[i] += self->slots[i].at != NULL;
    self->labels += self->slots[EZ_SLOT_LABEL].n > 0;
    self->records++;
    return EZLDA_OK;
}

static ezlda_status parse_block(tokenise_worker *self, ez_fault *fault)
{
    const ez_text_source *source = self->crew->job->source;
    self->block.tally = &self->tally;
    self->block.page_tally = &self->page_tally;
    if (source->reader != &ez_directory_reader &&
        ez_block_check(source, self->crew->job->context, &self->block, fault))
        return fault->status;
    self->out.used = 0;
    self->docs = self->text_bytes = 0;
    uint64_t line;
    int got;
    while ((got = source->reader->next(source, self->crew->job->context, &self->block, self->slots,
                                       &line, fault)) > 0)
        EZ_TRY(add_record(self, line));
    return got == 0 ? EZLDA_OK : fault->status;
}

static ezlda_status put_block(tokenise_worker *self)
{
    tokenise_crew *crew = self->crew;
    omp_set_lock(&crew->lock);
    crew->job->text_bytes += self->text_bytes;
    self->no_text = ez_text_is_too_much(crew->job);
    ezlda_status status =
        ez_token_store_put(&crew->job->store, crew->job->context, self->block.number, self->number,
                           self->docs, &self->out);
    omp_unset_lock(&crew->lock);
    return status;
}

static void work(tokenise_crew *crew, int number)
{
    const ez_text_job *job = crew->job;
    uint32_t n_slots = job->source->plan->slots;
    tokenise_worker self = {.crew = crew, .number = number};
    ez_fault fault = {0};
    ezlda_status status =
        ez_array(&self.slots, job->context, n_slots, sizeof *self.slots, "fields of a record");
    if (status == EZLDA_OK)
        status = ez_array_zero(&self.present, job->context, n_slots, sizeof *self.present,
                               "counts of fields");
    while (status == EZLDA_OK && next_block(&self)) {
        fault = (ez_fault){0};
        status = parse_block(&self, &fault);
        if (status == EZLDA_OK)
            status = put_block(&self);
    }
    if (status != EZLDA_OK)
        record_fault(crew, &self.block, status, &fault);
    omp_set_lock(&crew->lock);
    for (uint32_t i = 0; self.present && i < n_slots; i++)
        job->present[i] += self.present[i];
    crew->job->labels += self.labels;
    crew->job->records += self.records;
    ez_markup_counts_add(&crew->job->markup, &self.markup);
    ez_encoding_tally_join(&crew->job->source->tally, &self.tally);
    ez_page_tally_join(&crew->job->source->page_tally, &self.page_tally);
    omp_unset_lock(&crew->lock);
    ez_block_free(&self.block);
    ez_free(self.slots);
    ez_free(self.joined.data);
    ez_free(self.present);
    ez_free(self.out.data);
}

static ezlda_status report_fault(const tokenise_crew *crew)
{
    const ez_fault *fault = &crew->fault;
    ezlda_context *context = crew->job->context;
    if (!fault->text[0])
        return crew->status;
    const char *path =
        fault->path ? fault->path : ez_text_source_name(crew->job->source, crew->fault_input);
    if (!fault->line)
        return ez_fail(context, crew->status, "%s: %s", path, fault->text);
    return ez_fail(context, crew->status, "%s:%llu: %s", path, (unsigned long long)fault->line,
                   fault->text);
}

/* Reads the first block and finds the rules of case in it, if the options leave them open. */
static ezlda_status guess_case(tokenise_crew *crew)
{
    ez_text_job *job = crew->job;
    if (!ez_casing_is_guessed(job->options))
        return EZLDA_OK;
    EZ_TRY(ez_text_source_next(job->source, job->context, &crew->first, &crew->first_is_waiting));
    return crew->first_is_waiting ? ez_cutting_guess(job, &crew->first) : EZLDA_OK;
}

ezlda_status ez_text_tokenise(ez_text_job *job)
{
    tokenise_crew crew = {.job = job};
    ezlda_status status = guess_case(&crew);
    if (status == EZLDA_OK) {
        omp_init_lock(&crew.lock);
#pragma omp parallel num_threads(job->workers)
        work(&crew, omp_get_thread_num());
        omp_destroy_lock(&crew.lock);
        status = report_fault(&crew);
    }
    ez_block_free(&crew.first);
    if (status == EZLDA_OK)
        status = ez_token_store_seal(&job->store, job->context);
    return status == EZLDA_OK ? ez_cutting_finish(job) : status;
}
