/* What `ezlda sweep` found: a table for people, or JSON. */
#ifndef CLI_SWEEP_REPORT_H
#define CLI_SWEEP_REPORT_H

#include "ezlda.h"

/* The table, and what it recommends. */
void sweep_table(const ezlda_sweep_scores *scores);
void sweep_json(const ezlda_sweep_scores *scores);

#endif
