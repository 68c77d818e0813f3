/* Fuzzes edits of topics: the usual form of what is read is read as the same edits, before and
 * after the merges are in the counts. */
#include "fuzz_file.h"

#include "model/edits/edit_text.h"

#include <string.h>

enum { TOPICS = 12, WORDS = 4 };

static uint32_t find_word(void *user, const char *word)
{
    static const char *const words[WORDS] = {"river", "boat", "court", "appeal"};
    (void)user;
    for (uint32_t i = 0; i < WORDS; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return UINT32_MAX;
}

static void check_edits(const ez_edits *edits)
{
    for (uint32_t k = 0; k < TOPICS; k++) {
        fuzz_claim(edits->into[k] < TOPICS, "a topic is merged into a topic");
        fuzz_claim(edits->into[edits->into[k]] == edits->into[k], "which is merged into no other");
        fuzz_claim(edits->into[k] == k || edits->hidden[k], "a merged topic is hidden");
    }
    for (size_t i = 0; i < edits->words; i++)
        fuzz_claim(edits->word[i].topic < TOPICS && edits->word[i].word < WORDS, "words exist");
}

static void read_again(ezlda_context *context, const char *text, const ez_edit_source *source)
{
    ez_edits *again = NULL;
    fuzz_claim(ez_edits_read(&again, context, text, source) == EZLDA_OK,
               "the usual form can be read");
    fuzz_claim(again && strcmp(again->text, text) == 0, "the usual form stays");
    ez_edits_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[4097];
    if (size >= sizeof text || memchr(data, '\0', size))
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ezlda_context *context = fuzz_context();
    ez_edit_source source = {"edits", TOPICS, find_word, NULL, NULL, EZLDA_ERROR_ARGUMENT};
    ez_edits *edits = NULL;
    ezlda_status status = ez_edits_read(&edits, context, text, &source);
    fuzz_claim(status == EZLDA_OK || !edits, "wrong edits are none");
    if (edits) {
        check_edits(edits);
        source.earlier = edits->text; /* the model has these operations: quotes belong to names */
        read_again(context, edits->text, &source);
        char *settled = NULL;
        fuzz_claim(ez_edits_settle(&settled, context, edits) == EZLDA_OK, "edits can be settled");
        source.earlier = settled;
        read_again(context, settled, &source);
        ez_free(settled);
    }
    ez_edits_free(edits);
    return 0;
}
