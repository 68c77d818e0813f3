/* Seconds of each pass of an iteration on the CPU, one line of JSON for each iteration:
 *
 *     paper_steps corpus=c.ezc k=1000 iterations=60 sampler=three-branch g=2
 *
 * The words pass counts W as it goes; `update` is the time of counting alone. */
#include "paper_state.h"

#include "backend/cpu/cpu.h"

#include <omp.h>
#include <stdio.h>

static void step(ez_cpu *cpu, ezlda_context *context, uint32_t iteration, bool decide)
{
    uint64_t open = 0;
    double begin = omp_get_wtime();
    paper_check(context, ez_cpu_prepare(cpu, context));
    double prepared = omp_get_wtime();
    ez_cpu_counts_begin(cpu);
    ez_cpu_documents(cpu, iteration, decide);
    double gathered = omp_get_wtime();
    paper_check(context, ez_cpu_words(cpu, context, iteration, !decide));
    ez_cpu_counts_end(cpu);
    double drawn = omp_get_wtime();
    for (int i = 0; i < cpu->threads; i++) {
        open += cpu->thread[i].undecided;
        cpu->thread[i].undecided = cpu->thread[i].moved = 0;
    }
    double before = omp_get_wtime();
    ez_cpu_counts_begin(cpu);
    ez_cpu_count_words(cpu);
    ez_cpu_counts_end(cpu);
    printf("{\"iteration\": %u, \"prepare\": %.9f, \"documents\": %.9f, \"words\": %.9f, "
           "\"update\": %.9f, "
           "\"skipped\": %.6f}\n",
           iteration, prepared - begin, gathered - prepared, drawn - gathered,
           omp_get_wtime() - before, 1 - (double)open / (double)cpu->tokens->tokens);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    (void)argc;
    paper_state state;
    ezlda_train_options options;
    ez_backend *backend;
    paper_open(&state, argv, &options);
    paper_check(state.context, ez_cpu_backend.create(&backend, state.context, state.tokens,
                                                     &state.settings, NULL));
    paper_check(state.context, backend->ops->start(backend, state.context));
    for (uint32_t i = 1; i <= options.iterations; i++)
        step((ez_cpu *)backend, state.context, i, options.study->sampler != EZLDA_TWO_BRANCH);
    backend->ops->free(backend);
    paper_close(&state);
    return 0;
}
