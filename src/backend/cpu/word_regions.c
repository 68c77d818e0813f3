/* Cuts T into tasks for the words pass: a frequent word is cut into regions of at most EZ_REGION
 * tokens, and rare words are bundled (paper: dissection of large words). */
#include "backend/cpu/cpu.h"

uint32_t ez_cut_word_tasks(const ez_token_list *t, ez_word_task *out)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < t->words;) {
        uint64_t begin = t->word_start[v], end = t->word_start[v + 1];
        uint32_t last = v + 1;
        while (last < t->words && t->word_start[last + 1] - begin <= EZ_BUNDLE)
            end = t->word_start[++last];
        do {
            uint64_t stop = end - begin > EZ_REGION ? begin + EZ_REGION : end;
            if (out)
                out[n] = (ez_word_task){v, last, begin, stop};
            n++;
            begin = stop;
        } while (begin < end);
        v = last;
    }
    return n;
}
