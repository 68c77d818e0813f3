/* Shows a run of train in a browser (--live). What goes wrong here does not end the run. */
#include "output/live_page.h"

#include "cli.h"
#include "output/report_file.h"

#include <stdio.h>

int live_page_open(live_page *live, const train_settings *settings)
{
    ezlda_live_options options;
    if (!settings->live)
        return 0;
    ezlda_live_options_init(&options);
    options.port = (uint16_t)settings->live_port;
    options.title = report_file_title(settings->output);
    ezlda_status status = ezlda_context_create(&live->context);
    if (status == EZLDA_OK)
        status = ezlda_live_open(&live->page, live->context, &options);
    if (status != EZLDA_OK)
        return cli_fail_library(live->context, status);
    ezlda_context_set_threads(live->context, settings->common.threads);
    fprintf(stderr, "watch the run at %s\n", ezlda_live_address(live->page));
    return 0;
}

/* Out-of-core runs have no model before they end: then there are no topics on the page. */
static void show_topics(live_page *live, const ezlda_progress *progress)
{
    ezlda_model *model = NULL;
    if (ezlda_train_snapshot(&model, live->context, progress) == EZLDA_OK)
        (void)ezlda_live_model(live->page, live->context, model, progress->iteration);
    else
        live->no_models = true;
    ezlda_model_free(model);
}

void live_page_show(live_page *live, const ezlda_progress *progress)
{
    if (!live->page)
        return;
    (void)ezlda_live_progress(live->page, live->context, progress);
    if (!live->no_models && ezlda_live_wants_model(live->page))
        show_topics(live, progress);
}

void live_page_end(live_page *live)
{
    ezlda_live_end(live->page, live->context);
}

void live_page_close(live_page *live)
{
    ezlda_live_close(live->page);
    ezlda_context_free(live->context);
    *live = (live_page){0};
}
