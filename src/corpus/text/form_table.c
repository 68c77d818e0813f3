#include "corpus/text/form_table.h"

enum { FIRST_SLOTS = 4096 };

ezlda_status ez_forms_reserve(ez_forms *forms, ezlda_context *context)
{
    size_t old = forms->slots ? forms->mask + 1 : 0;
    if (forms->n < old / 2)
        return EZLDA_OK;
    ez_forms grown = {NULL, (old ? old * 2 : FIRST_SLOTS) - 1, forms->n};
    EZ_TRY(ez_array_zero(&grown.slots, context, grown.mask + 1, sizeof *grown.slots,
                         "a table of words"));
    for (size_t i = 0; i < old; i++)
        if (forms->slots[i].key.high)
            *ez_forms_slot(&grown, forms->slots[i].key, ez_form_hash(forms->slots[i].key)) =
                forms->slots[i];
    ez_free(forms->slots);
    *forms = grown;
    return EZLDA_OK;
}
