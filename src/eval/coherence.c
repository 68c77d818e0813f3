/* Computes the coherence of topics (UMass, NPMI, C_V) from the counts of their words, and the means
 * over all topics. */
#include "eval/cooccurrence.h"

#include "base/memory.h"
#include "corpus/corpus.h"

#include <math.h>

static const double EPSILON = 1e-12; /* avoids logarithms of 0 */

/* Two words must be expected to meet this often by chance before their NPMI means something: if
 * five meetings are expected, at least one is seen in 149 of 150 cases. */
static const double SURE_MEETINGS = 5;

void ez_quality_options_init(ez_quality_options *options)
{
    *options = (ez_quality_options){
        .words = EZ_QUALITY_WORDS, .npmi_window = EZ_NPMI_WINDOW, .c_v_window = EZ_C_V_WINDOW};
}

void ez_quality_free(ez_quality *quality)
{
    if (!quality)
        return;
    ez_free(quality->topics);
    *quality = (ez_quality){0};
}

/* ---- one topic ---- */

/* A topic's words with their counts in documents or in windows of one width. */
typedef struct topic_counts {
    const ez_cooccurrence *counts;
    const uint32_t *word;
    const size_t *pair;
    size_t n;
} topic_counts;

static topic_counts counts_of(const ez_word_lists *lists, const ez_cooccurrence *counts, size_t t)
{
    return (topic_counts){counts, lists->word + lists->start[t], lists->pair + lists->pair_start[t],
                          lists->start[t + 1] - lists->start[t]};
}

static double share(const topic_counts *topic, uint64_t count)
{
    return (double)count / (double)topic->counts->windows;
}

static double word_share(const topic_counts *topic, size_t i)
{
    return share(topic, topic->counts->word[topic->word[i]]);
}

/* Positions i < j. */
static double pair_share(const topic_counts *topic, size_t i, size_t j)
{
    return share(topic, topic->counts->pair[topic->pair[ez_pair_of(i, j)]]);
}

/* The mean of log p(later | earlier) over the pairs of words. */
static double u_mass(const topic_counts *topic)
{
    double sum = 0;
    for (size_t j = 1; j < topic->n; j++)
        for (size_t i = 0; i < j; i++)
            sum += log((pair_share(topic, i, j) + EPSILON) / word_share(topic, i));
    return sum / (double)ez_pair_of(0, topic->n);
}

/* The NPMI of two words, or of a word with itself. */
static double npmi_of(const topic_counts *topic, size_t i, size_t j)
{
    double both = i == j  ? word_share(topic, i)
                  : i < j ? pair_share(topic, i, j)
                          : pair_share(topic, j, i);
    return log((both + EPSILON) / (word_share(topic, i) * word_share(topic, j))) /
           -log(both + EPSILON);
}

static double npmi(const topic_counts *topic)
{
    double sum = 0;
    for (size_t j = 1; j < topic->n; j++)
        for (size_t i = 0; i < j; i++)
            sum += npmi_of(topic, i, j);
    return sum / (double)ez_pair_of(0, topic->n);
}

/* A meeting is seen in (n+1)/2 windows of n tokens on average, but in one document (window 0). */
static bool is_sure(const topic_counts *topic, size_t i, size_t j, uint32_t window)
{
    double expected = word_share(topic, i) * word_share(topic, j) * (double)topic->counts->windows;
    double windows = window ? ((double)window + 1) / 2 : 1;
    return pair_share(topic, i, j) < 1 && expected >= SURE_MEETINGS * windows;
}

static void npmi_sure(const topic_counts *topic, uint32_t window, ez_topic_quality *out)
{
    double sum = 0;
    for (size_t j = 1; j < topic->n; j++)
        for (size_t i = 0; i < j; i++)
            if (is_sure(topic, i, j, window)) {
                sum += npmi_of(topic, i, j);
                out->sure_pairs++;
            }
    out->npmi_sure = sum / out->sure_pairs; /* 0/0 is NaN: no such pairs */
}

/* Compares each word's vector of NPMI values with the sum of all vectors, by the cosine. room:
 * n*(n+1). */
static double c_v(const topic_counts *topic, double *room)
{
    size_t n = topic->n;
    double *all = room + n * n, length = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            room[i * n + j] = room[j * n + i] = npmi_of(topic, i, j);
    for (size_t j = 0; j < n; j++) {
        all[j] = 0;
        for (size_t i = 0; i < n; i++)
            all[j] += room[i * n + j];
        length += all[j] * all[j];
    }
    for (size_t i = 0; i < n; i++) {
        double dot = 0, own = 0;
        for (size_t j = 0; j < n; j++) {
            dot += room[i * n + j] * all[j];
            own += room[i * n + j] * room[i * n + j];
        }
        sum += dot / (sqrt(own) * sqrt(length));
    }
    return sum / (double)n;
}

/* ---- all topics ---- */

/* Counts in documents and in two kinds of windows; windows of the same width are counted once. */
typedef struct all_counts {
    ez_cooccurrence made[3];
    const ez_cooccurrence *documents, *npmi, *c_v;
} all_counts;

static ezlda_status count_all(all_counts *all, ezlda_context *context, const ez_word_lists *lists,
                              const ezlda_corpus *corpus, const ez_quality_options *options)
{
    uint32_t windows[3] = {0, options->npmi_window, options->c_v_window};
    const ez_cooccurrence **used[3] = {&all->documents, &all->npmi, &all->c_v};
    for (size_t i = 0; i < 3; i++) {
        size_t same = 0;
        while (windows[same] != windows[i])
            same++;
        *used[i] = &all->made[same];
        if (same == i)
            EZ_TRY(
                ez_cooccurrence_count(&all->made[i], context, lists, corpus, windows[i], options));
    }
    return EZLDA_OK;
}

static void score_topic(const ez_word_lists *lists, const all_counts *all, size_t t,
                        uint32_t npmi_window, double *room, ez_topic_quality *out)
{
    topic_counts documents = counts_of(lists, all->documents, t),
                 near = counts_of(lists, all->npmi, t), far = counts_of(lists, all->c_v, t);
    out->u_mass = out->npmi = out->npmi_sure = out->c_v = out->exclusivity = NAN;
    if (documents.n < 2)
        return;
    out->u_mass = u_mass(&documents);
    out->npmi = npmi(&near);
    npmi_sure(&near, npmi_window, out);
    out->c_v = c_v(&far, room);
}

static ezlda_status score_topics(ez_quality *out, ezlda_context *context,
                                 const ez_word_lists *lists, const all_counts *all)
{
    size_t most = 0;
    for (size_t t = 0; t < lists->topics; t++)
        most = lists->start[t + 1] - lists->start[t] > most ? lists->start[t + 1] - lists->start[t]
                                                            : most;
    ezlda_status failed = EZLDA_OK;
#pragma omp parallel num_threads(ez_threads(context))
    {
        double *room;
        ezlda_status status =
            ez_array(&room, context, ez_product(most, most + 1), sizeof *room, "a topic's words");
#pragma omp for schedule(static)
        for (size_t t = 0; t < lists->topics; t++)
            if (status == EZLDA_OK)
                score_topic(lists, all, t, out->npmi_window, room, &out->topics[t]);
        if (status == EZLDA_OK) {
            ez_free(room);
        } else {
#pragma omp atomic write
            failed = status;
        }
    }
    return failed;
}

static void mean_of_topics(ez_quality *out)
{
    out->u_mass = out->npmi = out->c_v = 0;
    for (size_t t = 0; t < out->n_topics; t++) {
        const ez_topic_quality *topic = &out->topics[t];
        out->missing += topic->missing;
        if (topic->words - topic->missing < 2) {
            out->unscored++;
            continue;
        }
        out->u_mass += topic->u_mass;
        out->npmi += topic->npmi;
        out->c_v += topic->c_v;
    }
    double scored = (double)(out->n_topics - out->unscored);
    out->u_mass /= scored; /* 0/0 is NaN: no topic has a value */
    out->npmi /= scored;
    out->c_v /= scored;
    out->exclusivity = NAN;
}

static ezlda_status check_options(const ez_quality_options *options, ezlda_context *context,
                                  size_t n_topics)
{
    if (options->words < 2 || options->words > EZ_QUALITY_MAX_WORDS)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%u words of a topic: expected 2 to %d",
                       options->words, EZ_QUALITY_MAX_WORDS);
    if (n_topics > UINT32_MAX)
        return ez_fail(context, EZLDA_ERROR_ARGUMENT, "%zu topics are too many", n_topics);
    return EZLDA_OK;
}

static ezlda_status measure(ez_quality *out, ezlda_context *context, const ez_topic_words *topics,
                            const ezlda_corpus *corpus, const ez_quality_options *options,
                            ez_word_lists *lists, all_counts *all)
{
    EZ_TRY(ez_word_lists_build(lists, context, topics, out->n_topics, options->words, corpus,
                               out->topics));
    EZ_TRY(count_all(all, context, lists, corpus, options));
    EZ_TRY(score_topics(out, context, lists, all));
    out->docs = all->documents->windows;
    out->npmi_windows = all->npmi->windows;
    out->c_v_windows = all->c_v->windows;
    mean_of_topics(out);
    return ez_topic_diversity(&out->diversity, context, topics, out->n_topics, options->words);
}

ezlda_status ez_quality_measure(ez_quality *out, ezlda_context *context,
                                const ez_topic_words *topics, size_t n_topics,
                                const ezlda_corpus *corpus, const ez_quality_options *options)
{
    ez_quality_options used = *options;
    ez_word_lists lists = {0};
    all_counts all = {0};
    *out = (ez_quality){0};
    EZ_TRY(check_options(options, context, n_topics));
    EZ_TRY(
        ez_array_zero(&out->topics, context, n_topics, sizeof *out->topics, "the topics' scores"));
    out->n_topics = n_topics;
    if (!ez_corpus_has_order(corpus))
        used.npmi_window = used.c_v_window = 0;
    out->npmi_window = used.npmi_window;
    out->c_v_window = used.c_v_window;
    ezlda_status status = measure(out, context, topics, corpus, &used, &lists, &all);
    for (size_t i = 0; i < 3; i++)
        ez_cooccurrence_free(&all.made[i]);
    ez_word_lists_free(&lists);
    return status;
}
