/* Collects the documents of a page with those fields that the plan of the import keeps. */
#include "corpus/pages/page_set.h"

#include "corpus/markup/markup_parts.h"
#include "corpus/text/text_source.h"

#include <string.h>

enum { JOINED_BYTES = 4096 };

typedef struct page_doc {
    size_t text;  /* offset of its text */
    size_t place; /* index of its first value */
} page_doc;

typedef struct page_value {
    uint32_t slot;
    size_t at, n;
} page_value;

void ez_page_set_free(ez_page_set *set)
{
    ez_free(set->text.data);
    ez_free(set->values.data);
    ez_free(set->places.data);
    ez_free(set->docs.data);
    ez_free(set->name.data);
}

void ez_page_set_begin(ez_page_set *set, const ez_field_plan *plan)
{
    set->plan = plan;
    set->text.used = set->values.used = set->places.used = set->docs.used = 0;
    set->next = 0;
}

static page_doc *docs_of(const ez_page_set *set)
{
    return (page_doc *)(void *)set->docs.data;
}

static page_value *places_of(const ez_page_set *set)
{
    return (page_value *)(void *)set->places.data;
}

size_t ez_page_set_docs(const ez_page_set *set)
{
    return set->docs.used / sizeof(page_doc);
}

ezlda_status ez_page_set_add(ez_page_set *set, ezlda_context *context)
{
    page_doc doc = {set->text.used, set->places.used / sizeof(page_value)};
    return ez_buffer_append(&set->docs, context, &doc, sizeof doc);
}

void ez_page_set_undo(ez_page_set *set)
{
    size_t docs = ez_page_set_docs(set);
    if (!docs)
        return;
    set->places.used = docs_of(set)[docs - 1].place * sizeof(page_value);
    set->docs.used -= sizeof(page_doc);
}

/* ---- fields ---- */

/* The value in a slot of the last document; NULL: none. */
static page_value *find_value(const ez_page_set *set, uint32_t slot)
{
    size_t docs = ez_page_set_docs(set), n = set->places.used / sizeof(page_value);
    page_value *values = places_of(set);
    for (size_t i = docs ? docs_of(set)[docs - 1].place : n; i < n; i++)
        if (values[i].slot == slot)
            return &values[i];
    return NULL;
}

/* A field gives names only if one was chosen; otherwise the path does. */
static bool is_wanted(const ez_field_plan *plan, uint32_t slot, const char *name)
{
    if (!plan->names[slot] || strcmp(plan->names[slot], name) != 0)
        return false;
    return slot != EZ_SLOT_NAME_ELSE && (slot != EZ_SLOT_NAME || plan->name_given);
}

/* Makes the value longer. The old one is copied, because others may follow it. */
static ezlda_status join_value(ez_page_set *set, ezlda_context *context, page_value *value,
                               const char *text, size_t n)
{
    if (value->n + n > JOINED_BYTES)
        return EZLDA_OK;
    size_t from = set->values.used;
    EZ_TRY(ez_buffer_reserve(&set->values, context, value->n + n + 2));
    EZ_TRY(ez_buffer_append(&set->values, context, set->values.data + value->at, value->n));
    EZ_TRY(ez_buffer_append(&set->values, context, "; ", value->n ? 2 : 0));
    EZ_TRY(ez_buffer_append(&set->values, context, text, n));
    value->at = from;
    value->n = set->values.used - from;
    return EZLDA_OK;
}

static ezlda_status put_value(ez_page_set *set, ezlda_context *context, uint32_t slot,
                              const char *text, size_t n)
{
    page_value value = {slot, set->values.used, n};
    EZ_TRY(ez_buffer_append(&set->values, context, text, n));
    return ez_buffer_append(&set->places, context, &value, sizeof value);
}

ezlda_status ez_page_set_field(ez_page_set *set, ezlda_context *context, const char *name,
                               const char *value, size_t n, bool more)
{
    while (n && ez_is_space(*value))
        value++, n--;
    while (n && ez_is_space(value[n - 1]))
        n--;
    if (set->tally && n)
        ez_page_tally_name(set->tally, name, strlen(name));
    for (uint32_t slot = 0; slot < set->plan->slots && n && ez_page_set_docs(set); slot++) {
        if (!is_wanted(set->plan, slot, name))
            continue;
        page_value *old = find_value(set, slot);
        if (!old)
            EZ_TRY(put_value(set, context, slot, value, n));
        else if (more)
            EZ_TRY(join_value(set, context, old, value, n));
    }
    return EZLDA_OK;
}

bool ez_page_set_lacks(const ez_page_set *set, const char *name)
{
    for (uint32_t slot = 0; slot < set->plan->slots; slot++)
        if (is_wanted(set->plan, slot, name) && !find_value(set, slot))
            return true;
    return false;
}

/* ---- the documents ---- */

bool ez_page_set_next(ez_page_set *set, ez_span *slots, uint64_t *number)
{
    size_t docs = ez_page_set_docs(set), i = set->next;
    if (i >= docs)
        return false;
    const page_doc *doc = docs_of(set) + i;
    size_t values = set->places.used / sizeof(page_value);
    size_t text_end = i + 1 < docs ? doc[1].text : set->text.used,
           end = i + 1 < docs ? doc[1].place : values;
    char *none = (char *)set->docs.data; /* even no bytes have an address */
    ez_span text = {set->text.data ? (char *)set->text.data + doc->text : none,
                    text_end - doc->text};
    for (uint32_t slot = 0; slot < set->plan->slots; slot++)
        if (is_wanted(set->plan, slot, "text"))
            slots[slot] = text;
    for (size_t p = doc->place; p < end; p++) {
        const page_value *value = places_of(set) + p;
        slots[value->slot] = (ez_span){(char *)set->values.data + value->at, value->n};
    }
    *number = docs > 1 ? i + 1 : 0;
    set->next++;
    return true;
}
