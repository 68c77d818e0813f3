/* A tree of topics as text, as JSON, and as a curve. */
#ifndef CLI_TREE_VIEW_H
#define CLI_TREE_VIEW_H

#include "ezlda.h"

#include <stdbool.h>

typedef struct tree_view_settings {
    uint32_t top, words; /* bundles to print; words of each */
    int curve;           /* the losses by number of topics instead */
} tree_view_settings;

/* What all merges up to a node lost, per token of the model. */
double tree_view_loss_per_token(const ezlda_tree *tree, const ezlda_tree_node *node);

/* Prints the tree, or writes it to `json` if that is not NULL. 0, or an exit status after a line.
 */
int tree_view_show(const tree_view_settings *settings, const ezlda_model *model,
                   const ezlda_tree *tree, const char *json, bool quiet);

#endif
