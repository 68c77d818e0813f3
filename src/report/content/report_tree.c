/* The tree of the topics, so that the page can show fewer of them. Models with very many topics
 * have none: the page would take long to make. */
#include "report/report.h"

enum { EZ_TREE_LEAST = 3, EZ_TREE_MOST = 2000, EZ_TREE_WORDS = 12 };

ezlda_status ez_report_tree(ezlda_report *report, ezlda_context *context)
{
    ezlda_tree_options options;
    uint32_t topics = report->model->meta->topics;
    if (topics < EZ_TREE_LEAST || topics > EZ_TREE_MOST)
        return EZLDA_OK;
    ezlda_tree_options_init(&options);
    options.words = EZ_TREE_WORDS;
    return ezlda_tree_make(&report->tree, context, report->model, &options);
}
