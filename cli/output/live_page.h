/* train --live: a page that shows the run while it trains. */
#ifndef CLI_LIVE_PAGE_H
#define CLI_LIVE_PAGE_H

#include "options/train_settings.h"

typedef struct live_page {
    ezlda_live *page;       /* NULL: not asked for */
    ezlda_context *context; /* beside that of the run */
    bool no_models;         /* the run gives none before its end */
} live_page;

/* Opens the page, if it is asked for, and prints its address. Zero-initialise before; close in any
 * case. 0, or an exit status after one line. */
int live_page_open(live_page *live, const train_settings *settings);
/* Shows an iteration and, from time to time, the topics. For the progress function of the run. */
void live_page_show(live_page *live, const ezlda_progress *progress);
void live_page_end(live_page *live);
void live_page_close(live_page *live);

#endif
