/* Fuzzes tables of lemmas, as the lines of a file and as the setting that models keep: what is read
 * can be written, and is the same when it is read again. */
#include "fuzz_file.h"

#include "corpus/text/vocabulary/lemmas.h"

#include <string.h>

static const char *list_of(const ez_lemmas *lemmas, ezlda_context *context, ez_buffer *to)
{
    to->used = 0;
    fuzz_claim(ez_lemmas_write(lemmas, context, NULL, to) == EZLDA_OK,
               "what was read can be written");
    return (const char *)to->data;
}

static void read_again(const ez_lemmas *lemmas, ezlda_context *context)
{
    ez_buffer first = {0}, second = {0};
    ez_lemmas again = {0};
    const char *list = list_of(lemmas, context, &first);
    fuzz_claim(ez_lemmas_read_list(&again, context, list) == EZLDA_OK,
               "what was written can be read");
    fuzz_claim(strcmp(list, list_of(&again, context, &second)) == 0, "the setting stays");
    ez_lemmas_free(&again);
    ez_free(first.data);
    ez_free(second.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    ezlda_context *context = fuzz_context();
    ez_lemmas lemmas = {0};
    uint8_t how = data[0];
    ezlda_status status;
    if (how & 1) {
        ez_buffer text = {0};
        fuzz_claim(ez_buffer_reserve(&text, context, size) == EZLDA_OK, "there is memory");
        memcpy(text.data, data + 1, size - 1);
        text.data[size - 1] = '\0';
        status = ez_lemmas_read_list(&lemmas, context, (const char *)text.data);
        ez_free(text.data);
    } else {
        ez_tokeniser tokeniser;
        ez_tokeniser_init(&tokeniser, how & 2, how & 4, false, 1 + how % 3);
        status = ez_lemmas_read(&lemmas, context, fuzz_file(data + 1, size - 1), &tokeniser);
    }
    if (status == EZLDA_OK) {
        const char *word = "houses";
        size_t n = strlen(word);
        ez_lemma_of(&lemmas, &word, &n);
        fuzz_claim(n > 0, "a lemma is a word");
        read_again(&lemmas, context);
    }
    ez_lemmas_free(&lemmas);
    return 0;
}
