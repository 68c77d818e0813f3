/* ICU's break iterator for words, which cuts text of unspaced scripts by dictionaries. The library
 * (libicuuc, any version) is opened at run time, when text first needs it: everything else works
 * without it. */
#ifndef EZ_ICU_WORDS_H
#define EZ_ICU_WORDS_H

#include "base/memory.h"

/* One break iterator; each thread needs its own. */
typedef struct ez_icu_words ez_icu_words;

/* The version of ICU ("72.1"), which is opened on the first call; NULL if there is none. Any thread
 * may call this. EZLDA_ICU in the environment names another library; "none": there is none. */
const char *ez_icu_version(void);

/* Only if ez_icu_version is not NULL. */
ezlda_status ez_icu_words_open(ez_icu_words **out, ezlda_context *context);
/* Appends the end of each word of a UTF-16 text to `ends`, as int32_t; the last is n. */
ezlda_status ez_icu_words_cut(ez_icu_words *words, ezlda_context *context, const uint16_t *text,
                              int32_t n, ez_buffer *ends);
void ez_icu_words_close(ez_icu_words *words); /* may be NULL */

#endif
