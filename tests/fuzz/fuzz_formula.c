/* Fuzzes formulas of `ezlda effect`: one that is read has terms of variables that exist; another
 * one is refused with a message. */
#include "fuzz_file.h"

#include "effect/formula.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[1025];
    if (size >= sizeof text || memchr(data, '\0', size))
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    ezlda_context *context = fuzz_context();
    ez_formula formula = {0};
    ezlda_status status = ez_formula_read(&formula, context, text);
    if (status != EZLDA_OK)
        fuzz_claim(*ezlda_error_message(context) != '\0', "an error has a message");
    for (uint32_t i = 0; status == EZLDA_OK && i < formula.terms; i++) {
        const ez_term *term = &formula.term[i];
        fuzz_claim(term->n > 0 && term->n <= EZ_FORMULA_FACTORS, "a term has factors");
        fuzz_claim(i == 0 || formula.term[i - 1].n <= term->n, "terms are ordered");
        for (uint32_t j = 0; j < term->n; j++)
            fuzz_claim(term->variable[j] < formula.variables &&
                           (j == 0 || term->variable[j - 1] < term->variable[j]),
                       "variables exist and ascend");
    }
    ez_formula_free(&formula);
    return 0;
}
