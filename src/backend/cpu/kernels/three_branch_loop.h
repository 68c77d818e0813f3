/* Three-branch sampling on the CPU: decides the tokens of a document early
 * (sampler/three_branch.h). The including kernels_*.c defines decide_begin, which prepares what
 * equal words of the document share, and decide_token, which returns the branch of one token or
 * EZ_UNDECIDED. */
static uint32_t decide_document(const ez_doc_job *job)
{
    enum { AHEAD = 12 };
    uint32_t undecided = 0;
    struct decide_run run;
    for (uint32_t i = 0; i < job->length;) {
        uint32_t word = job->word[i], occurrence = 0;
        decide_begin(&run, job, word);
        uint64_t word_key = ez_word_key(job->iteration_key, word);
        for (; i < job->length && job->word[i] == word; i++, occurrence++) {
            if (i + AHEAD < job->length)
                __builtin_prefetch(&job->record[job->word[i + AHEAD]]);
            uint32_t old = job->old[i];
            int branch = decide_token(&run, job, old, ez_draw(word_key, job->doc, occurrence));
            bool open = branch == EZ_UNDECIDED;
            job->next[i] = open ? EZ_MARK | old : job->record[word].topic[branch & (EZ_TOP - 1)];
            undecided += open;
        }
    }
    return undecided;
}
