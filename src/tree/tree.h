/* A tree of topics: its nodes, in the order in which they were made. */
#ifndef EZ_TREE_H
#define EZ_TREE_H

#include "tree/merge_order.h"

/* Node k below `topics` is topic k; node topics + i is made by merge i. */
struct ezlda_tree {
    const ezlda_model *model; /* not owned */
    uint32_t topics, nodes;
    uint32_t words_each; /* distinctive words kept for each node, at most */
    ezlda_tree_node *node;
    uint32_t *words;  /* nodes * words_each */
    ez_merge *merges; /* topics-1 */
};

/* cut[k], for each topic: the number that it has among n topics, which are numbered by their
 * smallest topics. nodes, unless NULL: the node of each of the n topics. */
void ez_tree_numbers(const ezlda_tree *tree, uint32_t n, uint32_t *cut, uint32_t *nodes);

#endif
