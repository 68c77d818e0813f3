/* The documents of a page: their texts and the values of their fields. */
#ifndef EZ_PAGE_SET_H
#define EZ_PAGE_SET_H

#include "base/memory.h"
#include "corpus/pages/page_kind.h"

struct ez_field_plan;
struct ez_span;

/* Counts the files that were read, by kind, and lists their fields for messages. Zero-initialise;
 * tallies of several threads add up. */
enum { EZ_PAGE_NAMES = 64, EZ_PAGE_NAME = 48 };
typedef struct ez_page_tally {
    uint64_t files[EZ_PAGE_KINDS], docs[EZ_PAGE_KINDS];
    uint64_t filtered; /* pages of HTML or XML whose tags the markup filter removes */
    uint32_t n_names;
    char names[EZ_PAGE_NAMES][EZ_PAGE_NAME]; /* sorted */
} ez_page_tally;

void ez_page_tally_name(ez_page_tally *tally, const char *name, size_t n);
void ez_page_tally_join(ez_page_tally *to, const ez_page_tally *from);
/* Writes the names of fields, separated by commas. */
void ez_page_tally_names(const ez_page_tally *tally, char *text, size_t size);
/* One note: how many files were read as what; none if all are plain text. */
void ez_page_tally_report(const ez_page_tally *tally, ezlda_context *context);

/* The documents of a page. Zero-initialise; a set may be used for many pages. */
typedef struct ez_page_set {
    const struct ez_field_plan *plan; /* which fields are wanted */
    ez_page_tally *tally;             /* NULL: names of fields are not listed */
    ez_buffer text;                   /* texts, one after another */
    ez_buffer values;                 /* values of fields */
    ez_buffer places;                 /* where these are */
    ez_buffer docs;                   /* where the documents are */
    ez_buffer name;                   /* the name of the document that was returned last */
    size_t next;                      /* document to return next */
} ez_page_set;

void ez_page_set_free(ez_page_set *set);
/* Empties the set. */
void ez_page_set_begin(ez_page_set *set, const struct ez_field_plan *plan);
/* Begins the next document; text and fields that follow belong to it. */
ezlda_status ez_page_set_add(ez_page_set *set, ezlda_context *context);
/* Forgets the last document, which has no text. */
void ez_page_set_undo(ez_page_set *set);
size_t ez_page_set_docs(const ez_page_set *set);

/* Gives the last document a field, without the spaces around it and if it is not empty. If it has
 * one of this name, the first value stays, or (more) both are joined by "; ", as far as 4 KiB
 * reach. */
ezlda_status ez_page_set_field(ez_page_set *set, ezlda_context *context, const char *name,
                               const char *value, size_t n, bool more);
/* Whether the values of a field are wanted and the last document has none yet. */
bool ez_page_set_lacks(const ez_page_set *set, const char *name);

/* Fills the slots of the next document; false at the end. *number: its number in the page, from 1;
 * 0: it is the only one. Slots are valid until the set is used for another page. */
bool ez_page_set_next(ez_page_set *set, struct ez_span *slots, uint64_t *number);

#endif
