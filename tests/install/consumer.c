/* A program outside the project: a corpus, a model, its first word; prints the library's version.
 */
#include <ezlda.h>
#include <stdio.h>

static int train(ezlda_context *context, ezlda_corpus *corpus)
{
    ezlda_train_options options;
    ezlda_train_options_init(&options);
    options.topics = 3;
    options.iterations = 5;
    ezlda_model *model = NULL;
    if (ezlda_train(&model, context, corpus, &options) != EZLDA_OK)
        return 1;
    ezlda_scored top;
    size_t written = 0;
    int failed = ezlda_model_top_words(&top, 1, &written, context, model, 0, EZLDA_BY_PROBABILITY,
                                       0.0) != EZLDA_OK;
    ezlda_model_free(model);
    return failed || written != 1;
}

int main(void)
{
    ezlda_context *context = NULL;
    ezlda_corpus *corpus = NULL;
    ezlda_synth_options synth;
    ezlda_synth_options_init(&synth);
    synth.docs = 50;
    synth.words = 40;
    synth.mean_length = 20;
    synth.topics = 3;
    int failed = ezlda_context_create(&context) != EZLDA_OK ||
                 ezlda_corpus_synth(&corpus, context, &synth) != EZLDA_OK || train(context, corpus);
    printf("%s\n", failed ? ezlda_error_message(context) : ezlda_version_string());
    ezlda_corpus_free(corpus);
    ezlda_context_free(context);
    return failed || ezlda_version() != EZLDA_VERSION;
}
