/* Cuts runs of letters of unspaced scripts (unspaced_scripts.h) into words: by ICU's dictionaries,
 * or without ICU into overlapping pairs of characters, as search engines index such text. A cursor
 * gives the words of any text and cuts the runs in it on the way. */
#ifndef EZ_SEGMENTATION_H
#define EZ_SEGMENTATION_H

#include "corpus/text/tokeniser/icu_words.h"
#include "corpus/text/tokeniser/piece_joins.h"
#include "corpus/text/tokeniser/tokeniser.h"
#include "corpus/text/tokeniser/unspaced_scripts.h"

/* How text is cut into words; the option `tokens`. */
typedef enum ez_cutting {
    EZ_CUT_AUTO,   /* ICU if it is there, else pairs */
    EZ_CUT_ICU,    /* it is an error if ICU is not there */
    EZ_CUT_PAIRS,  /* overlapping pairs of characters */
    EZ_CUT_SPACES, /* a run is one word */
    EZ_CUT_PRE,    /* every piece between whitespace is a word as it stands */
    EZ_CUT_UNITS   /* every piece between unit separators (U+001F); words may have spaces */
} ez_cutting;

/* The way of cutting that is called `name`; false if there is none. */
bool ez_cutting_named(const char *name, ez_cutting *cutting);
const char *ez_cutting_name(ez_cutting cutting);

/* What one thread needs to cut runs, and what it has cut so far. Zero-initialise, set `cutting`;
 * free with ez_segmenter_free. */
typedef struct ez_segmenter {
    ez_cutting cutting; /* EZ_CUT_AUTO changes to the one that is used when the first run is met */
    ez_icu_words *icu;
    ez_buffer units;   /* uint16_t: a part of a run in UTF-16 */
    ez_buffer offsets; /* uint32_t: where each unit begins in UTF-8, and the end */
    ez_buffer ends;    /* int32_t: ends of words in units */
    ez_buffer pieces;  /* ez_piece: words of the part that are still to come, from `next` on */
    const char *part;
    size_t next, n;
    const char *rest, *rest_end; /* the run after the part */
    bool busy;                   /* the run has more words */
    ezlda_status status;         /* status of the last cut; the words end when it fails */
    bool met;                    /* the document has a run */
    uint64_t docs;               /* with runs */
    uint32_t scripts;            /* bits of the scripts of all runs */
} ez_segmenter;

/* Begins a document. */
static inline void ez_segmenter_begin(ez_segmenter *segmenter)
{
    segmenter->met = segmenter->busy = false;
    segmenter->status = EZLDA_OK;
}
/* Cuts a run and returns its first word, or NULL if that failed (`status`). */
const char *ez_segmenter_cut(ez_segmenter *self, ezlda_context *context, const char *run,
                             size_t bytes, size_t *n);
/* The next word of the run, if the segmenter is busy; NULL if cutting failed. */
const char *ez_segmenter_more(ez_segmenter *self, ezlda_context *context, size_t *n);
void ez_segmenter_free(ez_segmenter *self);
/* Writes the names of scripts ("Han, Thai") for a note. */
void ez_scripts_describe(uint32_t scripts, char *text, size_t size);

/* The words of one text, one after another. */
typedef struct ez_word_cursor {
    const ez_tokeniser *tokeniser;
    ez_segmenter *segmenter;
    ezlda_context *context;
    const char *at, *end;
} ez_word_cursor;

/* The next form and its bytes *n; NULL at the end, or if a run cannot be cut (segmenter->status).
 */
static inline const char *ez_cursor_next(ez_word_cursor *cursor, size_t *n)
{
    ez_segmenter *segmenter = cursor->segmenter;
    if (segmenter->busy)
        return ez_segmenter_more(segmenter, cursor->context, n);
    const char *form = ez_next_word(cursor->tokeniser, &cursor->at, cursor->end, n);
    if (!form || (unsigned char)*form < 0xe0 || !ez_is_run(cursor->tokeniser, form))
        return form;
    return ez_segmenter_cut(segmenter, cursor->context, form, *n, n);
}

#endif
