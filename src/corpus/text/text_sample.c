/* Parses a copy of a block of records and passes their text on. */
#include "corpus/text/text_sample.h"

#include <string.h>

static bool use_text(const ez_text_job *job, ez_span *text, ez_sample_fn use, void *user)
{
    ez_markup_counts ignored = {0};
    if (ez_text_is_cleaned(job))
        text->n = ez_markup_clean(text->at, text->n, &ignored);
    return use(user, text->at, text->n);
}

/* Whether more text is wanted. */
static bool use_record(const ez_text_job *job, ez_span *slots, ez_sample_fn use, void *user)
{
    const ez_field_plan *plan = job->source->plan;
    bool more = true;
    if (slots[EZ_SLOT_TEXT].at)
        return use_text(job, &slots[EZ_SLOT_TEXT], use, user);
    for (uint32_t i = plan->text_parts; more && i < plan->slots; i++)
        if (slots[i].at)
            more = use_text(job, &slots[i], use, user);
    return more;
}

static ezlda_status use_block(const ez_text_job *job, ez_block *copy, ez_span *slots,
                              ez_sample_fn use, void *user)
{
    const ez_text_source *source = job->source;
    ez_fault fault = {0};
    uint64_t line;
    if (source->reader != &ez_directory_reader &&
        ez_block_check(source, job->context, copy, &fault))
        return fault.text[0] ? EZLDA_OK : fault.status;
    int got = 1;
    for (bool more = true; more && (got = source->reader->next(source, job->context, copy, slots,
                                                               &line, &fault)) > 0;)
        more = use_record(job, slots, use, user);
    return got < 0 && !fault.text[0] ? fault.status : EZLDA_OK;
}

ezlda_status ez_text_sample(const ez_text_job *job, const ez_block *block, ez_sample_fn use,
                            void *user)
{
    ez_block copy = *block;
    ez_span *slots = NULL;
    ezlda_status status;
    memset(&copy.text, 0, sizeof copy.text);
    memset(&copy.pieces, 0, sizeof copy.pieces);
    memset(&copy.joined, 0, sizeof copy.joined);
    memset(&copy.mended, 0, sizeof copy.mended);
    memset(&copy.pages, 0, sizeof copy.pages);
    copy.tally = NULL;
    copy.page_tally = NULL;
    EZ_TRY_GOTO(ez_buffer_append(&copy.text, job->context, block->text.data, block->text.used));
    EZ_TRY_GOTO(ez_array(&slots, job->context, job->source->plan->slots, sizeof *slots,
                         "fields of a record"));
    status = use_block(job, &copy, slots, use, user);
done:
    ez_block_free(&copy);
    ez_free(slots);
    return status;
}
