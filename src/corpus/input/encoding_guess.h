/* Finds the encoding of a text that names none: by its byte order mark, by the places of its NUL
 * bytes (UTF-16 and UTF-32), by being valid UTF-8, else by a detector (uchardet) or, without it,
 * windows-1252 if the text is in Latin letters. */
#ifndef EZ_ENCODING_GUESS_H
#define EZ_ENCODING_GUESS_H

#include <stdbool.h>
#include <stddef.h>

enum { EZ_ENCODING_NAME = 32 };

typedef struct ez_encoding_guess {
    char name[EZ_ENCODING_NAME]; /* as iconv knows it; "UTF-8" also if no encoding was found */
    /* The file is converted as a whole. Otherwise only lines that are not UTF-8 are
     * (line_mender.h): an encoding with one byte per character can be mixed with UTF-8. */
    bool whole;
    bool mixed; /* other lines are UTF-8 and not ASCII */
} ez_encoding_guess;

/* Guesses from the first n bytes of a text; `all`: these are all bytes. */
void ez_guess_encoding(const char *text, size_t n, bool all, ez_encoding_guess *guess);

/* The encoding of the lines of a text that are not UTF-8; false: none is likely. */
bool ez_detect_encoding(const char *text, size_t n, ez_encoding_guess *guess);

#endif
