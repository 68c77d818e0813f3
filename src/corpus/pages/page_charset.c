/* Finds the encoding that a page declares: <?xml encoding="...">, <meta charset="..."> or the
 * content type in a <meta>. */
#include "base/os/os_text.h"
#include "corpus/markup/markup_parts.h"
#include "corpus/pages/page_kind.h"

#include <iconv.h>
#include <stdio.h>
#include <string.h>

enum { LOOK = 4096 }; /* HTML requires the declaration in the first 1,024 bytes */

/* Copies the value after `key` and an equals sign, in quotes or without them. */
static bool value_after(const char *at, const char *end, const char *key,
                        char name[EZ_ENCODING_NAME])
{
    size_t length = strlen(key), n = 0;
    while ((size_t)(end - at) >= length && ez_os_compare_n(at, key, length) != 0)
        at++;
    if ((size_t)(end - at) < length)
        return false;
    at += length;
    while (at < end && ez_is_space(*at))
        at++;
    if (at == end || *at++ != '=')
        return false;
    while (at < end && (ez_is_space(*at) || *at == '"' || *at == '\''))
        at++;
    while (at < end && n + 1 < EZ_ENCODING_NAME && (ez_is_ascii_alnum(*at) || strchr("-_:.", *at)))
        name[n++] = *at++;
    name[n] = '\0';
    return n > 0;
}

/* The value in the first tag that opens with `open`; tags without it are skipped. */
static bool in_tags(const char *head, size_t n, const char *open, const char *key,
                    char name[EZ_ENCODING_NAME])
{
    const char *end = head + n;
    size_t length = strlen(open);
    for (const char *at = head; (at = memchr(at, '<', (size_t)(end - at))); at++) {
        if ((size_t)(end - at) < length || ez_os_compare_n(at, open, length) != 0)
            continue;
        const char *close = memchr(at, '>', (size_t)(end - at));
        if (value_after(at, close ? close : end, key, name))
            return true;
    }
    return false;
}

/* As browsers do: text that is declared as Latin-1 or ASCII is windows-1252. */
static void use_common_name(char name[EZ_ENCODING_NAME])
{
    static const char *const latin[] = {"iso-8859-1", "iso8859-1", "latin1",    "latin-1",
                                        "us-ascii",   "ascii",     "iso_8859-1"};
    for (size_t i = 0; i < sizeof latin / sizeof *latin; i++)
        if (ez_os_compare(name, latin[i]) == 0)
            snprintf(name, EZ_ENCODING_NAME, "WINDOWS-1252");
    for (char *c = name; *c; c++)
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
}

/* Encodings whose text cannot declare them in ASCII, or that are found by their escapes. */
static bool is_other(const char *name)
{
    static const char *const starts[] = {"utf", "ucs", "iso-10646", "iso-2022", "hz", "unicode"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (ez_os_compare_n(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

bool ez_page_charset(const char *head, size_t n, char name[EZ_ENCODING_NAME])
{
    n = n < LOOK ? n : LOOK;
    if (memchr(head, 0, n))
        return false;
    if (!in_tags(head, n, "<?xml", "encoding", name) && !in_tags(head, n, "<meta", "charset", name))
        return false;
    if (is_other(name))
        return false;
    use_common_name(name);
    iconv_t conversion = iconv_open("UTF-8", name);
    if (conversion == (iconv_t)-1)
        return false;
    iconv_close(conversion);
    return true;
}
