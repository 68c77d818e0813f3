/* The parts of the markup filter (markup_filter.h): a scan for suspicious places, and one matcher
 * for each kind of thing that is removed. Matchers never look before `done` and read each byte a
 * bounded number of times, so that hostile text takes linear time too. */
#ifndef EZ_MARKUP_PARTS_H
#define EZ_MARKUP_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EZ_MARKUP_STEP = 16 }; /* bytes that the scan looks at at once */

/* A text while it is filtered. */
typedef struct ez_marked {
    const char *text;
    size_t n;
    size_t done;      /* bytes that were copied or removed already */
    size_t quiet;     /* no encoded file begins before this place */
    size_t lookahead; /* bytes that may still be searched for closing tags of unknown names */
    bool no_script_end, no_style_end, no_comment_end, no_key_end; /* searched for in vain before */
} ez_marked;

typedef enum ez_markup_kind {
    EZ_MARKUP_TAG,
    EZ_MARKUP_ENTITY,
    EZ_MARKUP_URL,
    EZ_MARKUP_ADDRESS,
    EZ_MARKUP_CODE
} ez_markup_kind;

/* What to remove. */
typedef struct ez_markup_match {
    ez_markup_kind kind;
    size_t from, to;
    uint32_t code;  /* the character that replaces it; 0: none */
    uint64_t lines; /* EZ_MARKUP_CODE: lines of it */
} ez_markup_match;

/* A place where something may begin: a byte that may be its mark, or (dense) 16 bytes without a
 * space or without a small letter, as in an encoded file. at = n: there is none. */
typedef struct ez_suspect {
    size_t at;
    bool dense;
} ez_suspect;

ez_suspect ez_markup_next(const ez_marked *marked, size_t at);

/* Each returns whether its kind of thing is at `at`, and what to remove. */
bool ez_match_tag(ez_marked *marked, size_t at, ez_markup_match *match);       /* at '<' */
bool ez_match_entity(ez_marked *marked, size_t at, ez_markup_match *match);    /* at '&' */
bool ez_match_url(const ez_marked *marked, size_t at, ez_markup_match *match); /* at "//", "ww" */
bool ez_match_address(const ez_marked *marked, size_t at, ez_markup_match *match); /* at '@' */
bool ez_match_key(ez_marked *marked, size_t at, ez_markup_match *match);           /* at "--" */
/* For a dense place. If it returns false, `quiet` is after the place that was looked at. */
bool ez_match_code(ez_marked *marked, size_t at, ez_markup_match *match);

/* A tag of a known name in escaped form: &lt;br&gt;. */
bool ez_match_escaped_tag(ez_marked *marked, size_t at, ez_markup_match *match);

/* The character that an entity names; 0: unknown. */
uint32_t ez_entity_code(const char *name, size_t n);

/* Names of HTML elements, in any case. Inline elements do not separate words. */
bool ez_is_html_name(const char *name, size_t n);
bool ez_is_inline_name(const char *name, size_t n);

static inline bool ez_is_ascii_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static inline bool ez_is_ascii_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool ez_is_ascii_alnum(char c)
{
    return ez_is_ascii_letter(c) || ez_is_ascii_digit(c);
}

static inline bool ez_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

#endif
