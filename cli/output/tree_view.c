/* Prints a tree from the root down, the larger of two bundles first, or writes all of its nodes.
 */
#include "output/tree_view.h"

#include "cli.h"
#include "output/json_out.h"
#include "output/output_path.h"
#include "output/text_out.h"

#include <stdlib.h>

typedef struct tree_view {
    const tree_view_settings *settings;
    const ezlda_model *model;
    const ezlda_tree *tree;
    uint32_t nodes, topics;
    uint64_t tokens; /* of the model */
} tree_view;

static ezlda_tree_node node_at(const ezlda_tree *tree, uint32_t i)
{
    ezlda_tree_node node = {.size = sizeof node};
    ezlda_tree_get_node(tree, i, &node);
    return node;
}

double tree_view_loss_per_token(const ezlda_tree *tree, const ezlda_tree_node *node)
{
    ezlda_tree_node root = node_at(tree, ezlda_tree_nodes(tree) - 1);
    return root.tokens ? node->total_loss / (double)root.tokens : 0;
}

/* Topics that are left after the merge that made a node. */
static uint32_t topics_left(const tree_view *v, uint32_t node)
{
    return node < v->topics ? v->topics : v->nodes - node;
}

static void put_words(const tree_view *v, const ezlda_tree_node *node, cli_text *line)
{
    for (uint32_t i = 0; i < node->n_words; i++) {
        text_put(line, " ", 1);
        text_shown(line, ezlda_model_word(v->model, node->words[i]));
    }
}

/* ---- text ---- */

/* "  12.4 %  |  38 topics  game team ..."; a single topic has its number and its name. */
static void print_line(const tree_view *v, uint32_t i, const ezlda_tree_node *node, uint32_t depth)
{
    cli_text line = {0};
    double share = v->tokens ? (double)node->tokens / (double)v->tokens : 0;
    text_printf(&line, "%5.1f %%  ", 100 * share);
    for (uint32_t d = 0; d < depth; d++)
        text_put(&line, "| ", 2);
    if (node->topics > 1) {
        text_printf(&line, "%u topics", node->topics);
    } else {
        text_printf(&line, "topic %u", i);
        const char *name = ezlda_model_topic_name(v->model, i);
        if (*name) {
            text_put(&line, " \"", 2);
            text_shown(&line, name);
            text_put(&line, "\"", 1);
        }
    }
    if (node->topics > 1 && topics_left(v, i) < v->settings->top)
        text_printf(&line, " (split into %u: %.4f)", topics_left(v, i) + 1,
                    v->tokens ? node->loss / (double)v->tokens : 0);
    text_put(&line, ":", 1);
    put_words(v, node, &line);
    puts(line.data);
    text_free(&line);
}

typedef struct waiting_node {
    uint32_t node, depth;
} waiting_node;

/* A node is printed with its bundles if fewer topics than wanted are left after its merge. */
static void print_tree(const tree_view *v)
{
    waiting_node *wait = cli_zeroed(v->nodes, sizeof *wait);
    size_t n = 0;
    wait[n++] = (waiting_node){v->nodes - 1, 0};
    while (n > 0) {
        waiting_node at = wait[--n];
        ezlda_tree_node node = node_at(v->tree, at.node);
        print_line(v, at.node, &node, at.depth);
        if (node.topics == 1 || topics_left(v, at.node) >= v->settings->top)
            continue;
        ezlda_tree_node left = node_at(v->tree, node.left), right = node_at(v->tree, node.right);
        bool left_first = left.tokens >= right.tokens;
        wait[n++] = (waiting_node){left_first ? node.right : node.left, at.depth + 1};
        wait[n++] = (waiting_node){left_first ? node.left : node.right, at.depth + 1};
    }
    free(wait);
}

static void print_curve(const tree_view *v)
{
    puts("topics\tmerge_loss\ttotal_loss\ttotal_loss_per_token");
    for (uint32_t i = v->nodes; i-- > v->topics;) {
        ezlda_tree_node node = node_at(v->tree, i);
        printf("%u\t%.17g\t%.17g\t%.17g\n", topics_left(v, i), node.loss, node.total_loss,
               tree_view_loss_per_token(v->tree, &node));
    }
    printf("%u\t0\t0\t0\n", v->topics);
}

/* ---- JSON ---- */

static void put_node(json_out *json, const tree_view *v, uint32_t i)
{
    ezlda_tree_node node = node_at(v->tree, i);
    json_open(json, '{', false);
    json_put_u64(json, "node", i);
    if (i >= v->topics) {
        json_put_u64(json, "left", node.left);
        json_put_u64(json, "right", node.right);
        json_put_u64(json, "topics_left", topics_left(v, i));
        json_put_real(json, "loss", node.loss);
        json_put_real(json, "total_loss", node.total_loss);
    }
    json_put_u64(json, "topics", node.topics);
    json_put_u64(json, "tokens", node.tokens);
    if (i < v->topics)
        json_put_string(json, "name", ezlda_model_topic_name(v->model, i));
    json_key(json, "words");
    json_open(json, '[', false);
    for (uint32_t w = 0; w < node.n_words; w++)
        json_string(json, ezlda_model_word(v->model, node.words[w]));
    json_close(json, ']');
    json_close(json, '}');
}

static int write_json(const tree_view *v, const char *path)
{
    platform_memory memory;
    if (!platform_memory_open(&memory))
        return cli_fail("not enough memory");
    json_out json = {.file = memory.file};
    json_open(&json, '{', true);
    json_put_u64(&json, "topics", v->topics);
    json_put_u64(&json, "tokens", v->tokens);
    json_key(&json, "nodes");
    json_open(&json, '[', true);
    for (uint32_t i = 0; i < v->nodes; i++)
        put_node(&json, v, i);
    json_close(&json, ']');
    json_close(&json, '}');
    bool failed = !platform_memory_close(&memory);
    int exit_status =
        failed ? cli_fail("not enough memory") : output_write(path, memory.bytes, memory.n);
    free(memory.bytes);
    return exit_status;
}

int tree_view_show(const tree_view_settings *settings, const ezlda_model *model,
                   const ezlda_tree *tree, const char *json, bool quiet)
{
    ezlda_model_info info = {.size = sizeof info};
    ezlda_model_get_info(model, &info);
    tree_view v = {.settings = settings,
                   .model = model,
                   .tree = tree,
                   .nodes = ezlda_tree_nodes(tree),
                   .topics = info.topics,
                   .tokens = info.tokens};
    if (json) {
        int exit_status = write_json(&v, json);
        if (!exit_status && !quiet)
            fprintf(cli_closing(), "%s: the tree of %u topics\n", json, info.topics);
        return exit_status;
    }
    if (settings->curve)
        print_curve(&v);
    else
        print_tree(&v);
    return 0;
}
