/* Opens ICU and calls its break iterator. Debian and most others add the version to every symbol
 * (ubrk_open_72); some systems do not. */
#include "corpus/text/tokeniser/icu_words.h"

#include "base/os/os_libraries.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Versions that are looked for, newest first. The calls below are the same in all of them. */
enum { NEWEST = 120, OLDEST = 48 };

/* As in ICU's ubrk.h and utypes.h. */
enum { UBRK_WORD = 1, U_ZERO_ERROR = 0, U_MEMORY_ALLOCATION_ERROR = 7 };

typedef struct icu_calls {
    void *library;
    void *(*open)(int type, const char *locale, const uint16_t *text, int32_t n, int *error);
    void (*set_text)(void *iterator, const uint16_t *text, int32_t n, int *error);
    int32_t (*next)(void *iterator);
    void (*close)(void *iterator);
    const char *(*error_name)(int error);
    void (*get_version)(uint8_t version[4]);
} icu_calls;

struct ez_icu_words {
    void *iterator;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static icu_calls icu; /* set once; library NULL: ICU is missing */
static char version_text[32];

static void *open_versioned(void)
{
    char name[64];
    void *library = NULL;
    for (int version = NEWEST; !library && version >= OLDEST; version--) {
        snprintf(name, sizeof name, "libicuuc.so.%d", version);
        library = ez_os_library_open(name, false);
    }
    return library;
}

static void *open_library(void)
{
#ifdef _WIN32 /* it is part of Windows 10, version 1903, and newer */
    static const char *const names[] = {"icu.dll", "icuuc.dll"};
#else
    static const char *const names[] = {"libicuuc.so", "libicucore.dylib", "libicuuc.dylib"};
#endif
    const char *named = getenv("EZLDA_ICU");
    if (named && *named)
        return strcmp(named, "none") == 0 ? NULL : ez_os_library_open(named, false);
    void *library = open_versioned();
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = ez_os_library_open(names[i], false);
    return library;
}

/* Finds the end of the symbols' names in this library: "_72", or "". */
static bool find_suffix(void *library, char *suffix, size_t size)
{
    char name[64];
    suffix[0] = '\0';
    if (ez_os_library_symbol(library, "ubrk_open"))
        return true;
    for (int version = NEWEST; version >= OLDEST; version--) {
        snprintf(name, sizeof name, "ubrk_open_%d", version);
        if (ez_os_library_symbol(library, name)) {
            snprintf(suffix, size, "_%d", version);
            return true;
        }
    }
    return false;
}

static bool find_call(void *library, const char *call, const char *suffix, void *function)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", call, suffix);
    void *symbol = ez_os_library_symbol(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool find_calls(icu_calls *calls)
{
    char suffix[16];
    void *library = calls->library;
    return library && find_suffix(library, suffix, sizeof suffix) &&
           find_call(library, "ubrk_open", suffix, &calls->open) &&
           find_call(library, "ubrk_setText", suffix, &calls->set_text) &&
           find_call(library, "ubrk_next", suffix, &calls->next) &&
           find_call(library, "ubrk_close", suffix, &calls->close) &&
           find_call(library, "u_errorName", suffix, &calls->error_name) &&
           find_call(library, "u_getVersion", suffix, &calls->get_version);
}

static void open_icu(void)
{
    icu_calls calls = {.library = open_library()};
    if (!find_calls(&calls)) {
        if (calls.library)
            ez_os_library_close(calls.library);
        return;
    }
    uint8_t version[4] = {0};
    calls.get_version(version);
    snprintf(version_text, sizeof version_text, "%d.%d", version[0], version[1]);
    icu = calls;
}

const char *ez_icu_version(void)
{
    pthread_once(&once, open_icu);
    return icu.library ? version_text : NULL;
}

static ezlda_status check(ezlda_context *context, int error)
{
    if (error <= U_ZERO_ERROR)
        return EZLDA_OK;
    return ez_fail(
        context, error == U_MEMORY_ALLOCATION_ERROR ? EZLDA_ERROR_MEMORY : EZLDA_ERROR_UNSUPPORTED,
        "ICU %s cannot cut text into words: %s", version_text, icu.error_name(error));
}

/* The locale is fixed, so that words do not depend on the environment; the dictionaries are the
 * same in all locales. */
ezlda_status ez_icu_words_open(ez_icu_words **out, ezlda_context *context)
{
    int error = U_ZERO_ERROR;
    *out = NULL;
    void *iterator = icu.open(UBRK_WORD, "en", NULL, 0, &error);
    EZ_TRY(check(context, error));
    ezlda_status status = ez_array(out, context, 1, sizeof **out, "a break iterator");
    if (status == EZLDA_OK)
        (*out)->iterator = iterator;
    else
        icu.close(iterator);
    return status;
}

ezlda_status ez_icu_words_cut(ez_icu_words *words, ezlda_context *context, const uint16_t *text,
                              int32_t n, ez_buffer *ends)
{
    int error = U_ZERO_ERROR;
    icu.set_text(words->iterator, text, n, &error);
    EZ_TRY(check(context, error));
    for (int32_t end; (end = icu.next(words->iterator)) > 0;)
        EZ_TRY(ez_buffer_append(ends, context, &end, sizeof end));
    return EZLDA_OK;
}

void ez_icu_words_close(ez_icu_words *words)
{
    if (words)
        icu.close(words->iterator);
    ez_free(words);
}
