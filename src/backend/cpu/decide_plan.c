/* Whether early decisions pay. They save the words pass of the tokens they decide and cost a look at every token, so
 * they pay when many tokens are decided; the topics do not depend on it. */
#include "backend/cpu/cpu.h"

/* Iterations after which a measurement is taken anew. */
enum { EZ_PLAN_AGE = 16 };

bool ez_decide_worthwhile(const ez_cpu *cpu, uint32_t iteration)
{
    const ez_decide_plan *plan = &cpu->plan;
    if (cpu->settings->sampler == EZLDA_TWO_BRANCH)
        return false;
    if (cpu->settings->g != 0)
        return true;
    for (int decided = 0; decided < 2; decided++)
        if (plan->measured[decided] == 0 || iteration - plan->measured[decided] > EZ_PLAN_AGE)
            return decided;
    double all = plan->open_token * (double)cpu->tokens->tokens;
    return plan->documents[1] + plan->open_share * all < plan->documents[0] + all;
}

void ez_decide_measured(ez_cpu *cpu, uint32_t iteration, bool decided, double documents, double words, uint64_t open)
{
    ez_decide_plan *plan = &cpu->plan;
    plan->documents[decided] = documents;
    plan->measured[decided] = iteration;
    if (open > 0)
        plan->open_token = words / (double)open;
    if (decided)
        plan->open_share = (double)open / (double)cpu->tokens->tokens;
}
