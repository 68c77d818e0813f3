/* Estimates memory and time of an iteration on several shards. The constants were measured. */
#include "train/forecast/scale_model.h"

#include <math.h>

/* Measured on an H200: a copy or a small kernel between others. Measured on a core of a Xeon:
 * counts added to others. Assumed: a message between machines. */
static const double EZ_STEP_SECONDS = 11e-6, EZ_ADD_RATE = 4.8e9, EZ_MESSAGE_SECONDS = 30e-6;
/* Entries in the lists of sparse rows of all machines, per token of these words (measured: rnews,
 * K=1,024). */
static const double EZ_LISTED = 0.25;
/* What remains of the shards' tables, and of the steps of their sums, if they share a GPU and run
 * side by side. */
static const double EZ_TABLES_SHARED = 0.4, EZ_STEPS_SHARED = 1.0 / 3;
/* Bytes per token that pass the host's link in an iteration with chunks, and the share of the
 * shorter of copies and kernels that the longer does not hide (measured: bench/notes/cuda.md, "In
 * less memory"). */
static const double EZ_STREAM_BYTES = 18, EZ_NOT_HIDDEN = 0.15;
/* The share of preparing that every shard does for all words. */
static const double EZ_PREPARE_WHOLE = 1.0 / 3;

/* A token's word, place, document and topic; a word's records; its row's start and length,
 * frequency and rarity. */
enum {
    EZ_TOKEN_BYTES = 14,
    EZ_RECORD_BYTES = 128,
    EZ_WORD_BYTES = 20,
    EZ_TASK_BYTES = 20,
    EZ_DOC_BYTES = 16
};
enum {
    EZ_HOST_TOKEN_BYTES = 12,
    EZ_HOST_DOC_BYTES = 16,
    EZ_HOST_WORD_BYTES = 100,
    EZ_PINNED_TOKEN_BYTES = 16
};
/* Up to EZ_NARROW_ENTRIES topics an entry of D has 16 bits, above that 32; rows are padded to
 * sectors. */
enum { EZ_NARROW_ENTRIES = 1024, EZ_ROW_FILL = 16, EZ_CHUNKS_MOST = 4096 };

static double dense_bytes(const ez_scale_corpus *c)
{
    return 4.0 * c->dense_words * ((double)c->topics / 4 + 1) * 4;
}

static double sparse_bytes(const ez_scale_corpus *c)
{
    return 4.0 * (double)c->sparse_tokens;
}

/* ---- memory ---- */

/* Counts that come from other shards. */
static double added_bytes(const ez_scale_corpus *c, const ez_scale_machines *m)
{
    double slice =
        m->shards > 1 && m->sharing == 1 ? (dense_bytes(c) + sparse_bytes(c)) / m->shards : 0;
    double list = m->machines > 1 ? sparse_bytes(c) + dense_bytes(c) / 2 : 0;
    return slice > list ? slice : list;
}

static double device_bytes(const ez_scale_corpus *c, const ez_scale_machines *m, uint32_t chunks)
{
    double shards = (double)m->machines * m->shards;
    double tokens = (double)c->tokens / shards, docs = (double)c->docs / shards;
    double entry = c->topics <= EZ_NARROW_ENTRIES ? 2 : 4;
    double token = EZ_TOKEN_BYTES * (chunks > 1 ? 2 : 1) + entry + (c->topics > 32768);
    return tokens * token / chunks + docs * EZ_ROW_FILL / chunks + docs * EZ_DOC_BYTES +
           (double)c->words * (EZ_RECORD_BYTES + EZ_WORD_BYTES + (double)chunks * EZ_TASK_BYTES) +
           dense_bytes(c) + sparse_bytes(c) + added_bytes(c, m);
}

/* As few chunks as the memory allows. */
static void fit_device(ez_scale *out, const ez_scale_corpus *c, const ez_scale_machines *m)
{
    double least = INFINITY, bytes;
    for (uint32_t n = 1; n <= EZ_CHUNKS_MOST; n += n < 16 ? 1 : n / 8) {
        bytes = device_bytes(c, m, n);
        least = bytes < least ? bytes : least;
        if (bytes <= (double)m->device_memory) {
            out->chunks = n;
            break;
        }
    }
    out->device_bytes = (uint64_t)(out->chunks ? bytes : least);
}

static double host_bytes(const ez_scale_corpus *c, const ez_scale_machines *m, uint32_t chunks)
{
    double token = EZ_HOST_TOKEN_BYTES + (chunks > 1 ? EZ_PINNED_TOKEN_BYTES : 0);
    double all = token * (double)c->tokens + EZ_HOST_DOC_BYTES * (double)c->docs;
    double counts = dense_bytes(c) + sparse_bytes(c);
    double sums = m->machines > 1 ? counts : 0;
    return all / m->machines + EZ_HOST_WORD_BYTES * (double)c->words + counts + sums;
}

/* ---- time ---- */

static double overlapped(double kernels, double copies)
{
    double longer = kernels > copies ? kernels : copies;
    return longer + EZ_NOT_HIDDEN * (kernels + copies - longer);
}

double ez_scale_resident(double seconds, uint64_t tokens, double host_link)
{
    double copies = EZ_STREAM_BYTES * (double)tokens / host_link;
    double shorter = (seconds - copies) / EZ_NOT_HIDDEN, longer = seconds - EZ_NOT_HIDDEN * copies;
    double kernels = shorter < copies ? shorter : longer;
    return kernels > 0 ? kernels : 0;
}

static double shard_work(const ez_scale_steps *s, const ez_scale_machines *m, const ez_scale *out)
{
    double shards = (double)m->machines * m->shards;
    double prepare = s->prepare * (EZ_PREPARE_WHOLE + (1 - EZ_PREPARE_WHOLE) / m->shards);
    double tables = s->tables * (m->sharing > 1 ? EZ_TABLES_SHARED : 1);
    if (out->chunks <= 1)
        return prepare + tables + s->tokens / shards;
    double copies = EZ_STREAM_BYTES * (double)out->shard_tokens / m->host_link;
    return overlapped(prepare + tables * out->chunks + s->tokens / shards, copies);
}

/* A shard reads its slice of the others' counts, then the others' slices, and before that their
 * records. If it counts sparse rows itself (one machine, no chunks), it reads the topics of their
 * tokens, 16 bits each. Dense rows are assumed to be read whole. */
static double sum_here(const ez_scale_corpus *c, const ez_scale_machines *m, uint32_t chunks)
{
    if (m->shards == 1)
        return 0;
    double others = m->shards - 1.0, part = others / m->shards;
    bool gathers = m->machines == 1 && chunks <= 1;
    double counts = dense_bytes(c) + sparse_bytes(c) * (gathers ? 0.5 / m->shards : 1);
    double sums = dense_bytes(c) + sparse_bytes(c) + (double)EZ_RECORD_BYTES * c->words;
    double bytes = part * (counts + sums);
    return bytes / m->link + (m->sharing > 1 ? EZ_STEPS_SHARED : 4 * others + 8) * EZ_STEP_SECONDS;
}

/* A sum of dense rows sends and receives every machine's share but the own twice; so does a
 * broadcast of every machine's list. */
static double network_seconds(const ez_scale_corpus *c, const ez_scale_machines *m)
{
    double part = (m->machines - 1.0) / m->machines, turns = ceil(log2(m->machines));
    return 2 * part * (dense_bytes(c) + EZ_LISTED * sparse_bytes(c)) / m->network +
           part * dense_bytes(c) / EZ_ADD_RATE + 6 * turns * EZ_MESSAGE_SECONDS;
}

/* One shard of each machine passes its counts through its host, and gets the sums back. */
static double sum_beyond(const ez_scale_corpus *c, const ez_scale_machines *m)
{
    if (m->machines == 1)
        return 0;
    double lists = EZ_LISTED * sparse_bytes(c), seconds = network_seconds(c, m);
    if (m->gpus)
        seconds += (2 * dense_bytes(c) + lists / m->machines + lists) / m->host_link;
    return seconds;
}

void ez_scale_predict(ez_scale *out, const ez_scale_corpus *corpus, const ez_scale_steps *steps,
                      const ez_scale_machines *machines)
{
    uint64_t shards = (uint64_t)machines->machines * machines->shards;
    *out = (ez_scale){.shard_tokens = (corpus->tokens + shards - 1) / shards};
    if (machines->gpus)
        fit_device(out, corpus, machines);
    out->host_bytes = (uint64_t)host_bytes(corpus, machines, out->chunks);
    out->work = shard_work(steps, machines, out) * machines->sharing;
    out->here = sum_here(corpus, machines, out->chunks) * machines->sharing;
    out->beyond = sum_beyond(corpus, machines);
    out->seconds = out->work + out->here + out->beyond;
}

/* ---- what is known ---- */

void ez_scale_zipf(uint64_t tokens, uint32_t words, uint64_t than, uint32_t *frequent,
                   uint64_t *others)
{
    double all = words > 0 ? log(words + 0.5) + 0.5772156649 : 1;
    double most = (double)tokens / all, rank = floor(most / ((double)than + 1));
    rank = rank < words ? rank : words;
    double first = rank > 0 ? log(rank + 0.5) + 0.5772156649 : 0;
    *frequent = (uint32_t)rank;
    *others = rank < words ? (uint64_t)((double)tokens * (1 - first / all)) : 0;
}

uint32_t ez_scale_tabled_words(uint32_t words, uint32_t frequent, uint32_t topics)
{
    return topics > 8192 ? frequent : words;
}

/* Tokens per second on a corpus of PubMed's size, leave-one-out; interpolated linearly in the
 * logarithm. */
static double known_speed(uint32_t topics)
{
    static const struct {
        double topics, speed;
    } known[] = {{1000, 8863e6}, {10000, 4306e6}, {32768, 3841e6}};
    if (topics <= 1000)
        return known[0].speed;
    int i = topics < 10000 ? 0 : 1;
    double way = log(topics / known[i].topics) / log(known[i + 1].topics / known[i].topics);
    return known[i].speed * pow(known[i + 1].speed / known[i].speed, way);
}

void ez_scale_known_steps(ez_scale_steps *out, const ez_scale_corpus *corpus, uint32_t tabled_words,
                          double seconds)
{
    double cells = (dense_bytes(corpus) + sparse_bytes(corpus)) / 4;
    double all = seconds > 0 ? seconds : (double)corpus->tokens / known_speed(corpus->topics);
    out->prepare = cells / 55e9;
    out->tables = tabled_words * (15e-9 + 6e-12 * corpus->topics) + 250e-6;
    double most = all / 2, whole = out->prepare + out->tables;
    out->tokens = whole < most ? all - whole : most;
    if (seconds > 0 && whole > most) {
        out->prepare *= most / whole;
        out->tables *= most / whole;
    }
}
