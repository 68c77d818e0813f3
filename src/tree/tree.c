/* Trees of topics: the public calls that make one and say what is in it. */
#include "tree/tree.h"

#include "base/memory.h"
#include "base/options_struct.h"
#include "model/edits/merge_topics.h"
#include "tree/node_words.h"

#include <string.h>

void ezlda_tree_options_init_sized(ezlda_tree_options *options, size_t size)
{
    ezlda_tree_options defaults = {.size = sizeof defaults, .words = 8};
    ez_options_init(options, size, &defaults, sizeof defaults);
}

void ezlda_tree_free(ezlda_tree *tree)
{
    if (!tree)
        return;
    ez_free(tree->node);
    ez_free(tree->words);
    ez_free(tree->merges);
    ez_free(tree);
}

uint32_t ezlda_tree_nodes(const ezlda_tree *tree)
{
    return tree->nodes;
}

int ezlda_tree_get_node(const ezlda_tree *tree, uint32_t i, ezlda_tree_node *node)
{
    if (i >= tree->nodes)
        return 0;
    ez_struct_write(node, &tree->node[i], sizeof tree->node[i]);
    return 1;
}

/* ---- growing ---- */

typedef struct growing {
    ezlda_tree *tree;
    uint32_t *node_of; /* topics: the node that a bundle is */
    uint32_t made;     /* nodes so far */
} growing;

static double in_nats(int64_t loss)
{
    return (double)loss / (1 << EZ_GAMMA_BITS);
}

static void name_node(ezlda_tree *tree, const ez_bundles *b, uint32_t node, uint32_t bundle,
                      uint32_t sibling)
{
    uint32_t *words = tree->words + (size_t)node * tree->words_each;
    tree->node[node].words = words;
    tree->node[node].n_words = ez_node_words(b, bundle, sibling, words, tree->words_each);
}

static ezlda_status add_node(const ez_bundles *b, ezlda_context *context, const ez_merge *merge,
                             void *user)
{
    growing *g = user;
    ezlda_tree *tree = g->tree;
    uint32_t node = g->made++, left = g->node_of[merge->a], right = g->node_of[merge->b];
    (void)context;
    name_node(tree, b, left, merge->a, merge->b);
    name_node(tree, b, right, merge->b, merge->a);
    tree->node[left].parent = tree->node[right].parent = node;
    double loss = in_nats(merge->loss);
    tree->node[node] = (ezlda_tree_node){
        .size = sizeof *tree->node,
        .left = left,
        .right = right,
        .parent = EZLDA_NO_NODE,
        .topic = merge->a,
        .topics = tree->node[left].topics + tree->node[right].topics,
        .tokens = b->tokens[merge->a] + b->tokens[merge->b],
        .loss = loss,
        .total_loss = loss + (node > tree->topics ? tree->node[node - 1].total_loss : 0),
    };
    g->node_of[merge->a] = node;
    return EZLDA_OK;
}

static ezlda_status plant(growing *g, ezlda_context *context, const ez_bundles *b)
{
    ezlda_tree *tree = g->tree;
    tree->topics = b->topics;
    tree->nodes = 2 * b->topics - 1;
    EZ_TRY(ez_array_zero(&tree->node, context, tree->nodes, sizeof *tree->node, "a tree"));
    EZ_TRY(ez_array(&tree->words, context, ez_product(tree->nodes, tree->words_each),
                    sizeof *tree->words, "the words of a tree"));
    EZ_TRY(ez_array(&tree->merges, context, tree->topics, sizeof *tree->merges, "a tree"));
    EZ_TRY(ez_array(&g->node_of, context, tree->topics, sizeof *g->node_of, "a tree"));
    for (uint32_t k = 0; k < tree->topics; k++) {
        g->node_of[k] = k;
        tree->node[k] = (ezlda_tree_node){.size = sizeof *tree->node,
                                          .left = EZLDA_NO_NODE,
                                          .right = EZLDA_NO_NODE,
                                          .parent = EZLDA_NO_NODE,
                                          .topic = k,
                                          .topics = 1,
                                          .tokens = b->tokens[k]};
    }
    g->made = tree->topics;
    return EZLDA_OK;
}

static ezlda_status grow(ezlda_tree *tree, ezlda_context *context)
{
    ez_bundles bundles = {0};
    growing g = {.tree = tree};
    ezlda_status status;
    EZ_TRY_GOTO(ez_bundles_init(&bundles, context, tree->model));
    EZ_TRY_GOTO(plant(&g, context, &bundles));
    EZ_TRY_GOTO(ez_merge_all(tree->merges, context, &bundles, add_node, &g));
    name_node(tree, &bundles, tree->nodes - 1, 0, 0);
done:
    ez_bundles_free(&bundles);
    ez_free(g.node_of);
    return status;
}

ezlda_status ezlda_tree_make(ezlda_tree **out, ezlda_context *context, const ezlda_model *model,
                             const ezlda_tree_options *options)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the tree"));
    *out = NULL;
    EZ_TRY(ez_needs(context, model, "a model"));
    ezlda_tree_options checked;
    ezlda_tree *tree = NULL;
    ezlda_tree_options_init(&checked);
    EZ_TRY(ez_options_read(&checked, sizeof checked, context, options, "tree"));
    if (checked.words > EZLDA_TREE_MOST_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "words is %u; expected 0 to %d",
                       checked.words, EZLDA_TREE_MOST_WORDS);
    EZ_TRY(ez_array_zero(&tree, context, 1, sizeof *tree, "a tree"));
    tree->model = model;
    tree->words_each = checked.words;
    ezlda_status status = grow(tree, context);
    if (status == EZLDA_OK)
        *out = tree;
    else
        ezlda_tree_free(tree);
    return status;
}

/* ---- cutting ---- */

void ez_tree_numbers(const ezlda_tree *tree, uint32_t n, uint32_t *cut, uint32_t *nodes)
{
    uint32_t last = 2 * tree->topics - n; /* nodes from here on are cut away */
    uint32_t numbered = 0;
    for (uint32_t k = 0; k < tree->topics; k++) {
        uint32_t node = k;
        while (tree->node[node].parent < last)
            node = tree->node[node].parent;
        uint32_t smallest = tree->node[node].topic;
        if (smallest == k && nodes)
            nodes[numbered] = node;
        cut[k] = smallest == k ? numbered++ : cut[smallest];
    }
}

ezlda_status ezlda_tree_topics(uint32_t *cut, uint32_t *nodes, ezlda_context *context,
                               const ezlda_tree *tree, uint32_t topics)
{
    ez_clear(context);
    EZ_TRY(ez_needs(context, tree, "a tree"));
    EZ_TRY(ez_needs(context, cut, "room for the topics"));
    if (topics < 1 || topics > tree->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "a cut into %u topics: expected 1 to %u",
                       topics, tree->topics);
    ez_tree_numbers(tree, topics, cut, nodes);
    return EZLDA_OK;
}

ezlda_status ezlda_tree_cut(ezlda_model **out, ezlda_context *context, const ezlda_tree *tree,
                            uint32_t topics)
{
    uint32_t *cut = NULL;
    ez_clear(context);
    EZ_TRY(ez_needs(context, out, "a place for the model"));
    *out = NULL;
    EZ_TRY(ez_needs(context, tree, "a tree"));
    if (topics < 2 || topics > tree->topics)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "a cut into %u topics: expected 2 to %u",
                       topics, tree->topics);
    EZ_TRY(ez_array(&cut, context, tree->topics, sizeof *cut, "a cut"));
    ez_tree_numbers(tree, topics, cut, NULL);
    ezlda_status status = ez_model_coarser(out, context, tree->model, cut, topics);
    ez_free(cut);
    return status;
}
