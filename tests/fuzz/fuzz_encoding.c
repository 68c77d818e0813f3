/* Fuzzes the guess at the encoding of a text and the conversion of its lines: what is converted is UTF-8, and lines that
 * were UTF-8 stay. The first byte says whether these are all bytes of the file. */
#include "fuzz_file.h"

#include "corpus/input/line_mender.h"
#include "corpus/input/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    ez_encoding_guess guess;
    ez_guess_encoding((const char *)data + 1, size - 1, data[0] & 1, &guess);
    fuzz_claim(guess.name[0] != 0, "there is a name");
    ez_buffer text = {0}, room = {0};
    ez_mended mended;
    fuzz_claim(ez_buffer_append(&text, fuzz_context(), data + 1, size - 1) == EZLDA_OK, "there is memory");
    ezlda_status status = ez_mend_lines(&text, fuzz_context(), 0, guess.name, &room, &mended);
    if (status == EZLDA_OK && mended.bad == SIZE_MAX)
        fuzz_claim(ez_utf8_check((const char *)text.data, text.used) == text.used, "the text is UTF-8");
    ez_free(text.data);
    ez_free(room.data);
    return 0;
}
