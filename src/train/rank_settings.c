/* Compares the corpora and options of the ranks of a group. They must be equal: ranks that make
 * different calls would wait for each other for ever. */
#include "corpus/corpus.h"
#include "train/train_options.h"
#include "train/training.h"

#include <stdio.h>
#include <string.h>

typedef struct rank_settings {
    ez_checkpoint_key key;
    uint64_t version, docs, tokens;
    double converged_gain;
    uint32_t iterations, held_out, eval_every, w_format, checkpoint, resume;
    char device[16];
} rank_settings;

static void fill(rank_settings *own, const ez_training *t)
{
    const ezlda_train_options *o = &t->options;
    ez_corpus_sizes sizes;
    ez_corpus_sizes_of(t->corpus, &sizes);
    memset(own, 0, sizeof *own);
    own->key = t->key;
    own->version = EZLDA_VERSION;
    own->docs = sizes.docs;
    own->tokens = sizes.tokens;
    own->converged_gain = o->converged_gain;
    own->iterations = o->iterations;
    own->held_out = t->plan.score;
    own->eval_every = o->eval_every;
    own->w_format = (uint32_t)ez_study_of(o).w_format;
    own->checkpoint = o->checkpoint != NULL;
    own->resume = o->resume != 0;
    bool on_cpu = t->ops == &ez_cpu_backend || t->ops == &ez_reference_backend;
    snprintf(own->device, sizeof own->device, "%s", on_cpu ? t->ops->name : "cuda");
}

static bool device_differs(ez_key_difference *out, const rank_settings *a, const rank_settings *b)
{
    out->what = "the device";
    snprintf(out->a, sizeof out->a, "%s", a->device);
    snprintf(out->b, sizeof out->b, "%s", b->device);
    return strcmp(a->device, b->device) != 0;
}

static bool differs(ez_key_difference *out, const rank_settings *a, const rank_settings *b)
{
    return ez_numbers_differ(out, "the version of ezlda", a->version, b->version) ||
           device_differs(out, a, b) ||
           ez_numbers_differ(out, "the number of documents", a->docs, b->docs) ||
           ez_numbers_differ(out, "the number of tokens", a->tokens, b->tokens) ||
           ez_checkpoint_key_differs(out, &a->key, &b->key) ||
           ez_numbers_differ(out, "iterations", a->iterations, b->iterations) ||
           ez_numbers_differ(out, "whether the number of iterations is given", !a->held_out,
                             !b->held_out) ||
           ez_numbers_differ(out, "eval-every", a->eval_every, b->eval_every) ||
           ez_numbers_differ(out, "w-format (0: hybrid, 1: dense, 2: sparse)", a->w_format,
                             b->w_format) ||
           ez_numbers_differ(out, "checkpoint (1: there is a folder)", a->checkpoint,
                             b->checkpoint) ||
           ez_numbers_differ(out, "resume", a->resume, b->resume) ||
           ez_reals_differ(out, "the gain that ends a run", a->converged_gain, b->converged_gain);
}

ezlda_status ez_training_compare_ranks(ez_training *t)
{
    ezlda_group *group = t->options.group;
    ez_buffer all = {0};
    rank_settings own;
    ez_key_difference found;
    fill(&own, t);
    ezlda_status status = ez_buffer_append(&all, t->context, &own, sizeof own);
    if (status == EZLDA_OK)
        status = ez_group_join(group, t->context, &all);
    if (status == EZLDA_OK && all.used != (size_t)group->ranks * sizeof own)
        status =
            ez_fail(t->context, EZLDA_ERROR_ARGUMENT, "the ranks have different versions of ezlda");
    const rank_settings *rank = (const rank_settings *)(const void *)all.data;
    for (int i = 1; status == EZLDA_OK && i < group->ranks; i++)
        if (differs(&found, &rank[i], &rank[0]))
            status = ez_fail(t->context, EZLDA_ERROR_ARGUMENT,
                             "%s is %s at rank %d and %s at rank 0; all must do the same, with the "
                             "same corpus and options",
                             found.what, found.a, i, found.b);
    ez_free(all.data);
    return status;
}
