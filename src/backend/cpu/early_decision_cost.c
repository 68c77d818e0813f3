/* Whether early decisions pay. They save the words pass of the tokens they decide and cost a look
 * at every token, so they pay when many tokens are decided; the topics do not depend on it. */
#include "backend/cpu/cpu.h"

/* Iterations after which decisions are tried anew: more and more tokens can be decided as training
 * goes on, while the documents pass without decisions costs about the same all along. */
enum { EZ_PLAN_AGE = 16 };

bool ez_decide_worthwhile(const ez_cpu *cpu, uint32_t iteration)
{
    const ez_decision_cost *plan = &cpu->plan;
    if (cpu->settings->sampler == EZLDA_TWO_BRANCH)
        return false;
    if (cpu->settings->g != 0)
        return true;
    if (plan->measured[0] == 0)
        return false;
    if (plan->measured[1] == 0 || iteration - plan->measured[1] > EZ_PLAN_AGE)
        return true;
    double all = plan->open_token * (double)cpu->all_tokens;
    return plan->documents[1] + plan->open_share * all < plan->documents[0] + all;
}

void ez_decide_measured(ez_cpu *cpu, uint32_t iteration, bool decided, double documents,
                        double words, uint64_t open)
{
    ez_decision_cost *plan = &cpu->plan;
    plan->documents[decided] = documents;
    plan->measured[decided] = iteration;
    if (open > 0)
        plan->open_token = words / (double)open;
    if (decided)
        plan->open_share = (double)open / (double)cpu->all_tokens;
}
