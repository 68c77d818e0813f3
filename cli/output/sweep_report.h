/* The outputs of `ezlda sweep`: a table for people (sweep_report.c), or JSON (sweep_json.c). */
#ifndef CLI_SWEEP_REPORT_H
#define CLI_SWEEP_REPORT_H

#include "ezlda.h"

/* The table, and the recommended number of topics. */
void sweep_table(const ezlda_sweep_scores *scores);
void sweep_json(const ezlda_sweep_scores *scores);

#endif
