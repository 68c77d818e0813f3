/* ezlda.h - topic models (LDA) at the scale of millions of documents and thousands of topics.
 *
 * The one public header of libezlda: strict C11, C++ clean, no CUDA types.
 *
 * Manners, the same everywhere:
 * - Handles are opaque. What a call creates through its first argument is yours to free; every free
 * accepts NULL.
 * - Every call that can fail returns an ezlda_status. The text of the last failure belongs to the
 * context (ezlda_error_message) and names the file, the line and what was expected.
 * - The context may be NULL where the text does not matter. Other handles, structs and paths may be
 * NULL only where a call says so: calls that can fail then return EZLDA_ERROR_ARGUMENT, others must
 * not be made.
 * - The library never prints, never exits and leaves no half-written file behind.
 * - Options are structs that open with their size. Fill them with their _init call, then change
 * what you need.
 * - A context is used by one thread at a time; corpora and models are read-only once made and may
 * be shared.
 */
#ifndef EZLDA_H
#define EZLDA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define EZLDA_API __attribute__((visibility("default")))
#else
#define EZLDA_API
#endif

/* ---- version
 * ---------------------------------------------------------------------------------------------------
 */

#define EZLDA_VERSION_MAJOR 0
#define EZLDA_VERSION_MINOR 1
#define EZLDA_VERSION_PATCH 0
#define EZLDA_VERSION \
    (EZLDA_VERSION_MAJOR * 10000 + EZLDA_VERSION_MINOR * 100 + EZLDA_VERSION_PATCH)

/* The version of the library at run time: as EZLDA_VERSION, and as text ("0.1.0"). */
EZLDA_API int ezlda_version(void);
EZLDA_API const char *ezlda_version_string(void);

/* ---- status and context
 * ---------------------------------------------------------------------------------------- */

/* Numbers are pinned: they never change their meaning. */
typedef enum ezlda_status {
    EZLDA_OK = 0,
    EZLDA_ERROR_MEMORY = 1,      /* not enough memory */
    EZLDA_ERROR_ARGUMENT = 2,    /* an option or argument out of its range */
    EZLDA_ERROR_IO = 3,          /* a file could not be opened, read or written */
    EZLDA_ERROR_FORMAT = 4,      /* a file's content is not what its format says, or is damaged */
    EZLDA_ERROR_DEVICE = 5,      /* a device that was asked for is missing or failed */
    EZLDA_ERROR_UNSUPPORTED = 6, /* valid, but this build cannot do it */
    EZLDA_ERROR_STOPPED = 7,     /* a callback asked to stop before there was anything to return */
    EZLDA_ERROR_INTERNAL = 8     /* a bug of ours */
} ezlda_status;

EZLDA_API const char *ezlda_status_name(ezlda_status status);

typedef struct ezlda_context ezlda_context; /* error text, thread count */

EZLDA_API ezlda_status ezlda_context_create(ezlda_context **out);
EZLDA_API void ezlda_context_free(ezlda_context *context);

/* Text of the last failure of this context; "" after none. Valid until the next call with this
 * context. */
EZLDA_API const char *ezlda_error_message(const ezlda_context *context);

/* Threads for everything done with this context, 4096 at most; 0 (the default): one for each
 * processor of the process, or what OMP_NUM_THREADS says. It is 1 in a process that was forked
 * after its parent had used several. */
EZLDA_API void ezlda_context_set_threads(ezlda_context *context, int threads);
EZLDA_API int ezlda_context_threads(const ezlda_context *context);

/* Remarks on what was chosen (a recognised format, a language, a device), one line each, no
 * newline. */
typedef void (*ezlda_note_fn)(const char *text, void *user);
EZLDA_API void ezlda_context_set_notes(ezlda_context *context, ezlda_note_fn note, void *user);

/* Removes what is being written under temporary names; async-signal-safe. For a handler that then
 * ends the process. */
EZLDA_API void ezlda_remove_temporaries(void);

/* ---- several machines
 * ------------------------------------------------------------------------------------------ */

/* Members that train one model together, each with a part of its documents: the ranks of an MPI
 * job. All of them make the same calls. */
typedef struct ezlda_group ezlda_group;

/* The MPI job that this process is a rank of; *out is NULL where it is none. mpi: "openmpi",
 * "mpich" or the path of a module; NULL: the launcher's environment says which. A job that the
 * process has begun itself is joined, and not ended by ezlda_group_close. Fails where a launcher
 * has started several processes and MPI knows of none or one of them, unless EZLDA_MPI is "none".
 */
EZLDA_API ezlda_status ezlda_group_open(ezlda_group **out, ezlda_context *context, const char *mpi);
EZLDA_API int ezlda_group_member(const ezlda_group *group);          /* from 0; 0 for NULL */
EZLDA_API int ezlda_group_members(const ezlda_group *group);         /* 1 for NULL */
EZLDA_API const char *ezlda_group_library(const ezlda_group *group); /* the MPI and its version */
/* Ends the processes of all members, this one with them. */
EZLDA_API void ezlda_group_fail(ezlda_group *group);
EZLDA_API void ezlda_group_close(ezlda_group *group);

/* ---- corpora
 * ---------------------------------------------------------------------------------------------------
 */

typedef struct ezlda_corpus
    ezlda_corpus; /* documents as bags of words, vocabulary, document names and fields */

/* How the text of a corpus became words. A corpus keeps its rules, and so does a model that is
 * trained on it. */
typedef struct ezlda_text_rules ezlda_text_rules;

/* How inputs are read. Text (mallet, text, dir, csv, tsv, jsonl) is cut into words: runs of
 * letters, case folded and normalised (NFKC); docs/import.md has the rules. A bag of words (ezc,
 * uci, mm, ldac, svmlight, mallet-state) is taken as it is, unless the options ask for less:
 * min_docs, max_docs_share, max_vocab and stop words that are named (not "auto") take words out of
 * it. Options that mean nothing for an input's format are refused. */
typedef struct ezlda_import_options {
    size_t size;
    /* ezc, uci, mm, ldac, svmlight, mallet-state, mallet, text, dir, csv, tsv, jsonl; NULL:
     * recognised */
    const char *format;
    const char *vocab; /* vocabulary file of a bag of words; NULL: looked for beside the input, else
                          numbers */
    /* Column or field that holds the text (csv, tsv, jsonl), or several, comma-separated, whose
     * texts are joined by a newline; NULL: "text". A field whose name has commas in it comes before
     * such a list. */
    const char *text_field;
    const char *name_field; /* ... the document's name; NULL: "id" or "name" where present, else the
                               line number */
    const char *label_field; /* ... its label; NULL: "label" where present */
    const char
        *keep_fields; /* more fields to keep with each document, comma-separated; NULL: none */
    const char
        *stopwords; /* language codes ("en", "de,fr"), "auto", "none" or a file; NULL: "auto" */
    const char *stemmer;   /* Snowball language ("english"); NULL or "none": words stay whole */
    uint32_t stem_below;   /* stem only words in fewer than so many documents; 0: all */
    uint32_t min_length;   /* shortest word kept, in characters */
    uint32_t ngrams;       /* 1: single words; n: phrases of up to n neighbouring words too */
    uint64_t min_docs;     /* a word must be in so many documents */
    double max_docs_share; /* ... and in at most this share of them */
    uint32_t max_vocab;    /* keep the most frequent words only; 0: all */
    int keep_case;         /* do not fold case */
    int keep_numbers;      /* words may hold digits */
    /* Keep the order of the words that stay in each document, for coherence in windows. Text has an
     * order; corpus files keep theirs anyway, and all of them must have one where it is asked for.
     * Other bags of words are refused. */
    int keep_order;
    /* Text becomes words by these rules, in what is left at its default above: stop words (none are
     * guessed then), stemmer, stem_below, min_length, ngrams, keep_case, keep_numbers. Other
     * formats do not look at them. */
    const ezlda_text_rules *like;
    int min_length_given, ngrams_given; /* these hold beside `like`, default or not */
    /* Encoding of text, by a name that iconv knows ("latin1", "windows-1252", "utf-16"); NULL:
     * UTF-8. Stop words and vocabularies are UTF-8. */
    const char *encoding;
} ezlda_import_options;

EZLDA_API void ezlda_import_options_init(ezlda_import_options *options);

/* Reads one or more inputs of one format ("-": standard input) as one corpus, in order. Where no
 * format is named the first input tells it, and a file that is recognised as another is refused.
 * .gz, .zst and .xz are opened on the way. Every document keeps its row, empty ones too. A corpus
 * file (.ezc) is mapped, not read. */
EZLDA_API ezlda_status ezlda_corpus_read(ezlda_corpus **out, ezlda_context *context,
                                         const char *const *paths, size_t n_paths,
                                         const ezlda_import_options *options);

/* A corpus from a CSR matrix of counts, documents in rows; the arrays are copied. words: NULL or
 * n_words strings. Ids inside a row may come in any order and more than once (counts add up); a
 * count of 0 is left out. */
EZLDA_API ezlda_status ezlda_corpus_from_csr(ezlda_corpus **out, ezlda_context *context,
                                             uint64_t n_docs, uint32_t n_words,
                                             const uint64_t *row_start, const uint32_t *word,
                                             const uint32_t *count, const char *const *words);

typedef struct ezlda_synth_options {
    size_t size;
    uint64_t docs;
    uint32_t words;
    double mean_length; /* tokens a document, mean of a log-normal */
    double sigma;       /* of the log-normal; 0: all the same length */
    uint32_t topics;
    double alpha; /* Dirichlet parameter of documents' topics, each topic; 0: 5 / topics */
    double beta;  /* concentration of a topic's words around the Zipf frequencies (smaller: sharper
                     topics) */
    double zipf;  /* exponent of the word frequencies */
    uint64_t seed;
} ezlda_synth_options;

EZLDA_API void ezlda_synth_options_init(ezlda_synth_options *options);

/* Draws a corpus from the LDA generative process; the same options give the same corpus on any
 * machine. */
EZLDA_API ezlda_status ezlda_corpus_synth(ezlda_corpus **out, ezlda_context *context,
                                          const ezlda_synth_options *options);

/* Splits a corpus by documents, at random: this share of them (rounded, at least one document on
 * either side) goes to `test`, the others to `train`, in their order and with all that was kept
 * with them. Both have the whole vocabulary. The same corpus, share and seed give the same split.
 */
EZLDA_API ezlda_status ezlda_corpus_split(ezlda_corpus **train, ezlda_corpus **test,
                                          ezlda_context *context, const ezlda_corpus *corpus,
                                          double share, uint64_t seed);

/* The corpus again, with these fields in place of its own ("name", "label", ...): values[f * docs +
 * d] is that of field f and document d (NULL: ""). */
EZLDA_API ezlda_status ezlda_corpus_with_fields(ezlda_corpus **out, ezlda_context *context,
                                                const ezlda_corpus *corpus,
                                                const char *const *fields, uint32_t n_fields,
                                                const char *const *values);

/* Writes a corpus file: to a temporary name, then renamed. */
EZLDA_API ezlda_status ezlda_corpus_save(const ezlda_corpus *corpus, ezlda_context *context,
                                         const char *path);
EZLDA_API void ezlda_corpus_free(ezlda_corpus *corpus);

typedef struct ezlda_corpus_info {
    size_t size; /* set before the call */
    uint64_t docs, empty_docs;
    uint32_t words;
    uint64_t pairs; /* distinct (document, word) pairs */
    uint64_t tokens;
    uint64_t longest; /* tokens of the longest document */
    uint64_t hash;    /* of documents and vocabulary */
    uint64_t bytes;   /* of the corpus as a file */
    uint32_t fields;  /* named strings kept with each document: name, label, ... */
    int has_order;    /* whether the order of the words in each document was kept */
} ezlda_corpus_info;

EZLDA_API void ezlda_corpus_get_info(const ezlda_corpus *corpus, ezlda_corpus_info *info);

/* The rules by which text became the corpus' words; they belong to it. NULL: it was no text, but a
 * bag of words. */
EZLDA_API const ezlda_text_rules *ezlda_corpus_text_rules(const ezlda_corpus *corpus);
/* The rules in words ("318 stop words left out, ..."), cut to size bytes; "" for NULL. */
EZLDA_API void ezlda_text_rules_describe(const ezlda_text_rules *rules, char *text, size_t size);

/* Word by its number; NULL where the number is out of range. The string belongs to the corpus. */
EZLDA_API const char *ezlda_corpus_word(const ezlda_corpus *corpus, uint32_t word);

/* Name of field f ("name", "label", ...), and its value for a document ("" where it has none). */
EZLDA_API const char *ezlda_corpus_field(const ezlda_corpus *corpus, uint32_t field);
EZLDA_API const char *ezlda_corpus_field_value(const ezlda_corpus *corpus, uint32_t field,
                                               uint64_t doc);

/* The distinct words of a document, ascending, with their counts. Up to capacity pairs are written;
 * returns how many the document has, so that a call with capacity 0 asks for the size. */
EZLDA_API size_t ezlda_corpus_document(const ezlda_corpus *corpus, uint64_t doc, uint32_t *word,
                                       uint32_t *count, size_t capacity);

/* ---- devices
 * ---------------------------------------------------------------------------------------------------
 */

typedef struct ezlda_device {
    size_t size;
    char device[16];  /* as the train options take it: "cuda:0", "cpu" */
    char name[128];   /* of the GPU, or the model of the processor */
    int usable;       /* whether this build can train on it */
    int chosen;       /* whether "auto" takes it */
    char reason[512]; /* why it cannot be used, one sentence; "" where it can */
    char kernels[24]; /* which of this build's it runs: "sm_90"; "avx512", "avx2", "neon" or "plain"
                         on the CPU */
    int processors;   /* multiprocessors of a GPU; processors that the process may use of the CPU */
    int cores;        /* ... and on how many cores these are; 0 for a GPU */
    int threads;      /* that the context uses of the CPU; 0 for a GPU */
    int capability;   /* compute capability of a GPU, 90 for 9.0; 0 for the CPU */
    uint64_t memory_bytes, memory_free_bytes; /* of a GPU */
} ezlda_device;

typedef struct ezlda_devices_info {
    size_t size;       /* set before the call */
    int cuda_build;    /* the CUDA that compiled this build's kernels, 13000 for 13.0; 0: a build
                          without CUDA */
    int cuda_driver;   /* the CUDA that the driver supports; 0: no driver */
    char covers[256];  /* GPUs of this build: "compute capability 7.5, 8.0, 9.0 and newer"; ""
                          without CUDA */
    char no_cuda[512]; /* why no GPU is listed, one sentence; "" where some are */
    char choice[16];   /* what "auto" takes: "cuda:0", "cpu" */
    char why[512];     /* ... and why */
} ezlda_devices_info;

typedef void (*ezlda_device_fn)(const ezlda_device *device, void *user);

/* Lists what this machine has: each CUDA device in the driver's order, then the CPU. GPUs are
 * opened to see whether they can be used and what memory is free. Nothing to list but the CPU is no
 * failure: info->no_cuda says why. device and info may be NULL. */
EZLDA_API ezlda_status ezlda_devices(ezlda_context *context, ezlda_devices_info *info,
                                     ezlda_device_fn device, void *user);

/* Begins to open a device in the background, for a training or inference that follows: the driver
 * takes about as long as reading a corpus. Fails at once where a GPU is named and there is no
 * driver or no CUDA in this build; what else is wrong with the device is told by who uses it.
 * Nothing for the CPU. */
EZLDA_API ezlda_status ezlda_context_open_device(ezlda_context *context, const char *device);

/* ---- training
 * --------------------------------------------------------------------------------------------------
 */

typedef struct ezlda_model ezlda_model;

typedef enum ezlda_estimator { EZLDA_LEAVE_ONE_OUT = 0, EZLDA_ESCA = 1 } ezlda_estimator;
typedef enum ezlda_sampler {
    EZLDA_MANY_BRANCH = 0,
    EZLDA_THREE_BRANCH = 1,
    EZLDA_TWO_BRANCH = 2
} ezlda_sampler;
typedef enum ezlda_start {
    EZLDA_START_KEYWORD = 0, /* documents start in the topics of the words they are best known by */
    EZLDA_START_RANDOM = 1   /* every token starts in a random topic, as in the paper */
} ezlda_start;
typedef enum ezlda_w_format {
    EZLDA_W_HYBRID = 0,
    EZLDA_W_DENSE = 1,
    EZLDA_W_SPARSE = 2
} ezlda_w_format;
typedef enum ezlda_balance {
    EZLDA_BALANCE_SPLIT = 0,   /* blocks take words as they get free, frequent words in regions */
    EZLDA_BALANCE_DYNAMIC = 1, /* blocks take words as they get free */
    EZLDA_BALANCE_NONE = 2     /* words are dealt out to blocks beforehand */
} ezlda_balance;

typedef struct ezlda_progress {
    uint32_t iteration; /* just done, from 1 */
    uint32_t iterations;
    uint64_t tokens;
    double seconds;           /* of sampling, the start included, scoring left out */
    double iteration_seconds; /* of this iteration */
    double skipped;           /* share of tokens decided without their document's row of D */
    double moved;             /* share of tokens whose topic changed */
    double llpt;              /* after this iteration; NaN where it was not scored */
} ezlda_progress;

/* What a progress callback may return: go on; end cleanly with the model so far (as does anything
 * else but 0); or write a checkpoint and end without a model (EZLDA_ERROR_STOPPED), where
 * checkpoints are written. */
enum { EZLDA_PROGRESS_GO_ON = 0, EZLDA_PROGRESS_STOP = 1, EZLDA_PROGRESS_LEAVE = 2 };

/* Called after each iteration. */
typedef int (*ezlda_progress_fn)(const ezlda_progress *progress, void *user);

/* A word that a topic starts with and leans to: one of the corpus, or what the rules of its text
 * make one of ("Rivers": river; several words, "New York": the phrase new_york). */
typedef struct ezlda_seed {
    uint32_t topic;
    const char *word;
} ezlda_seed;

typedef struct ezlda_train_options {
    size_t size;
    uint32_t topics; /* K, 2 to 65,536 */
    uint32_t iterations;
    uint64_t seed;
    double alpha;               /* of each topic; 0: 50/K, or the priors of `init` */
    const double *alpha_vector; /* K values instead, or NULL */
    double beta;                /* 0: 0.01, or that of `init` */
    ezlda_estimator estimator;
    ezlda_start start;
    const char
        *device; /* "auto", "cuda", "cuda:N", "cuda:N,N,...", "cuda:all", "cpu", "reference" */
    ezlda_sampler sampler;
    int g; /* topics looked up for the bound, 1 to 8; 0: chosen by measurement */
    ezlda_w_format w_format;
    uint32_t eval_every; /* LLPT every so many iterations and at the end; 0: at the end only */
    int keep_topics;     /* keep the topic of every token in the model */
    ezlda_progress_fn progress;
    void *user;
    ezlda_balance balance; /* of the cuda backend */
    uint32_t
        region; /* tokens of a region of a frequent word; 0: 10,000, less where a GPU has few */
    int loose_records; /* of the cuda backend, for study: words' records are not packed */
    /* Bytes of device memory that may be taken; 0: what is free. A corpus that needs more passes
     * through in chunks. */
    uint64_t device_memory;
    /* Priors: alpha of each topic and beta are fitted to the counts (Minka's fixed point) every so
     * many iterations, 0: they stay; after so many; and whether alpha stays the same for all
     * topics. */
    uint32_t optimize_interval, optimize_burn_in;
    int symmetric_alpha;
    const ezlda_seed *seeds; /* n_seeds, or NULL */
    size_t n_seeds;
    double seed_weight; /* tokens that a seed adds to its word in the topic, as a multiple of the
                           word's tokens */
    /* Continue from a model: its topics (as many as `topics` says), and its tokens' topics where it
     * has kept them and the corpus is its own; else the documents' topics are inferred first.
     * Iterations are numbered on. */
    const ezlda_model *init;
    double converged_gain; /* stop when further iterations promise less LLPT than this; 0: never */
    /* A folder for checkpoints, made where it is missing; NULL: none. One is written every so many
     * seconds or iterations (both 0: every ten minutes), while training goes on; the last two are
     * kept. With `resume`, it goes on from the newest that is whole, where there is one, and ends
     * in the bits of one that was not interrupted. */
    const char *checkpoint;
    double checkpoint_seconds;
    uint32_t checkpoint_iterations;
    int resume;
    /* The group that trains together, or NULL. Its member 0 reports progress, writes checkpoints
     * and gets the model; the others get NULL. A failure of one is one of all only when
     * ezlda_group_fail is called. */
    ezlda_group *group;
    /* On the CPU: the corpus is read from its file in parts, and the topics of its tokens (2 bytes
     * each) lie in a file without a name in the folder `scratch` (NULL: the current one), so that
     * what grows with the corpus is not in memory. Parts are as many as it takes for a training to
     * fit in so many bytes; 0: half of what is free. */
    int out_of_core;
    uint64_t memory;
    const char *scratch;
} ezlda_train_options;

EZLDA_API void ezlda_train_options_init(ezlda_train_options *options);

/* Trains a model. The result depends on the corpus, topics, iterations, seed, priors, estimator and
 * start alone: device, threads, sampler, g, w_format, balance, region and out_of_core change the
 * time it takes and nothing else. */
EZLDA_API ezlda_status ezlda_train(ezlda_model **out, ezlda_context *context,
                                   const ezlda_corpus *corpus, const ezlda_train_options *options);

/* What a training will take, found by a short trial. */
typedef struct ezlda_plan {
    size_t size; /* set before the call */
    uint64_t docs, tokens;
    uint32_t words;
    char device[64];
    uint64_t host_bytes;           /* memory of the process at its peak */
    uint64_t host_available_bytes; /* what the machine could give before the trial */
    uint64_t device_bytes;         /* device memory at its peak; 0 on the CPU */
    uint32_t
        chunks; /* in which the corpus passes through the device, or parts out of core; else 0 */
    double seconds_setup;     /* from the corpus to the first iteration, and after the last one */
    double seconds_iteration; /* a mean over all iterations */
    double seconds_score;     /* an LLPT */
    double seconds_total;     /* from the corpus to the model */
    uint32_t tried; /* iterations of the trial; 0: memory lacks, figures are from a sample */
    uint64_t sample_tokens; /* of the sample of documents that showed how iterations get faster; 0:
                               no need */
    int several; /* set before the call: whether ezlda_plan_cluster is to follow, which needs ... */
    double
        seconds_repeated; /* of an iteration: what takes as long with any share of the documents */
    uint32_t topics,
        dense_words;        /* words with more tokens than topics, whose counts are rows of K */
    uint64_t sparse_tokens; /* tokens of the other words */
} ezlda_plan;

/* Trains for about so many seconds (0: 10), and throws the result away. The plan fits a training
 * with the same options on this machine. A group is refused. */
EZLDA_API ezlda_status ezlda_train_plan(ezlda_context *context, const ezlda_corpus *corpus,
                                        const ezlda_train_options *options, double seconds,
                                        ezlda_plan *plan);

/* The same without a trial, for one GPU that does so many tokens a second (0: what was measured on
 * an H200). Where corpus is NULL, docs, words and tokens are those that the plan holds before the
 * call, and words are taken to be as frequent as Zipf's law has them. Of the seconds, only those of
 * an iteration are filled in. */
EZLDA_API ezlda_status ezlda_plan_untried(ezlda_context *context, const ezlda_corpus *corpus,
                                          const ezlda_train_options *options,
                                          double tokens_per_second, ezlda_plan *plan);

/* Machines that train one model together, a rank on each. */
typedef struct ezlda_cluster {
    size_t size;
    uint32_t machines; /* 1 */
    uint32_t gpus;     /* of each machine; 0: their CPUs train */
    const char *gpu;   /* their kind, as ezlda_devices names it; NULL: an H200 */
    /* Bytes a second each way, as they are named: four fifths are taken to reach the data. */
    double network;         /* between machines; to be given where there are several */
    double link;            /* between the GPUs of a machine; 0: what their kind is known for */
    uint64_t device_memory; /* of a GPU; 0: an H200's */
} ezlda_cluster;

EZLDA_API void ezlda_cluster_init(ezlda_cluster *cluster);

typedef struct ezlda_cluster_plan {
    size_t size; /* set before the call */
    uint32_t members;
    uint64_t member_tokens;
    uint64_t host_bytes;      /* of each machine, at least */
    uint64_t device_bytes;    /* of each GPU; 0 on CPUs */
    uint32_t chunks;          /* in which each GPU's documents pass through it; 0 on CPUs */
    double seconds_iteration; /* the sum of these: */
    double seconds_work;      /* preparing, sampling, counting */
    double seconds_link;      /* sums over the GPUs of a machine */
    double seconds_network;   /* sums over the machines, through their hosts */
    double link, network;     /* bytes a second that were taken */
} ezlda_cluster_plan;

/* What an iteration takes on a cluster, from the plan of one of its devices (with `several` set, or
 * untried). Fails where no number of chunks fits a GPU, or where it would have more tokens than it
 * can count. */
EZLDA_API ezlda_status ezlda_plan_cluster(ezlda_context *context, const ezlda_plan *one,
                                          const ezlda_cluster *cluster, ezlda_cluster_plan *out);

/* ---- models
 * ----------------------------------------------------------------------------------------------------
 */

EZLDA_API ezlda_status ezlda_model_load(ezlda_model **out, ezlda_context *context,
                                        const char *path);
EZLDA_API ezlda_status ezlda_model_save(const ezlda_model *model, ezlda_context *context,
                                        const char *path);
EZLDA_API void ezlda_model_free(ezlda_model *model);

/* The model again, with other words: as many as it has, no two alike. It is for models of matrices,
 * whose words are numbers; the corpus that it was trained on remains its corpus, words matched by
 * number. */
EZLDA_API ezlda_status ezlda_model_rename_words(ezlda_model **out, ezlda_context *context,
                                                const ezlda_model *model, const char *const *words,
                                                uint32_t n_words);

typedef struct ezlda_model_info {
    size_t size; /* set before the call */
    uint64_t docs;
    uint32_t words;
    uint64_t tokens;
    uint32_t topics;
    uint32_t iterations; /* done */
    uint64_t seed;
    double alpha_sum, beta;
    ezlda_estimator estimator;
    double seconds_sampling;
    double skipped; /* share in the last iteration */
    double moved;
    uint64_t topics_hash; /* over the topics of all tokens, in document order */
    uint64_t corpus_hash;
    char device[64];
    int threads;
    size_t llpt_count;                 /* scores kept, see ezlda_model_llpt */
    int has_topics;                    /* whether the topic of every token is kept */
    uint64_t device_memory_peak_bytes; /* of the training, on a GPU; 0 in a model that was loaded,
                                          as are: */
    double seconds_tokens;             /* before the start: the corpus to a list of tokens */
    double seconds_setup;              /* ... and the tokens onto the device and sorted */
    double seconds_open;               /* ... between the two, waiting for the device to open */
    uint32_t chunks; /* in which the corpus passed through a GPU, or parts out of core; else 0 */
    uint32_t iterations_run; /* by this training, where it continued from a model */
    char stopped[192];       /* why the training ended; "" where all iterations were done */
} ezlda_model_info;

EZLDA_API void ezlda_model_get_info(const ezlda_model *model, ezlda_model_info *info);

/* Score i: after which iteration, after how many seconds of sampling, and its value. 0 past the
 * end, else 1. */
EZLDA_API int ezlda_model_llpt(const ezlda_model *model, size_t i, uint32_t *iteration,
                               double *seconds, double *llpt);

/* NULL where the number is out of range; a document's name is "" where its corpus had none. Owned
 * by the model. */
EZLDA_API const char *ezlda_model_word(const ezlda_model *model, uint32_t word);
/* The rules by which text became the words of the corpus it was trained on: see
 * ezlda_corpus_text_rules. */
EZLDA_API const ezlda_text_rules *ezlda_model_text_rules(const ezlda_model *model);
/* ... or, where text did not, rules for new texts: nothing is left out; case, digits, single
 * letters as words have. */
EZLDA_API const ezlda_text_rules *ezlda_model_reading_rules(const ezlda_model *model);
EZLDA_API const char *ezlda_model_doc_name(const ezlda_model *model, uint64_t doc);
EZLDA_API const double *ezlda_model_alpha(const ezlda_model *model); /* topics values */
EZLDA_API const uint64_t *ezlda_model_topic_tokens(
    const ezlda_model *model); /* tokens of each topic */
EZLDA_API uint64_t ezlda_model_word_tokens(const ezlda_model *model, uint32_t word);
EZLDA_API uint64_t ezlda_model_doc_tokens(const ezlda_model *model, uint64_t doc);

/* Non-zero counts of a word by topic, or of a document by topic, topics ascending. Up to capacity
 * are written; returns how many there are. */
EZLDA_API size_t ezlda_model_word_topics(const ezlda_model *model, uint32_t word, uint32_t *topic,
                                         uint32_t *count, size_t capacity);
EZLDA_API size_t ezlda_model_doc_topics(const ezlda_model *model, uint64_t doc, uint32_t *topic,
                                        uint32_t *count, size_t capacity);

/* Topics of a document's tokens, words ascending (a word's c tokens follow each other); NULL where
 * not kept. */
EZLDA_API const uint16_t *ezlda_model_token_topics(const ezlda_model *model, uint64_t doc);

typedef enum ezlda_word_order {
    EZLDA_BY_PROBABILITY = 0, /* p(word | topic) */
    EZLDA_BY_RELEVANCE = 1,   /* lambda*log p(word|topic) + (1-lambda)*log(p(word|topic)/p(word)) */
    EZLDA_BY_LIFT = 2         /* p(word | topic) / p(word) */
} ezlda_word_order;

typedef struct ezlda_scored {
    uint64_t id;        /* word or document */
    uint64_t count;     /* tokens of this word or document in the topic */
    double probability; /* p(word | topic), or p(topic | document) */
    double score;       /* what it was ordered by */
} ezlda_scored;

/* The n words of a topic that come first in an order (ties: the smaller number). Words without a
 * token in the topic are left out. Returns how many were written. */
EZLDA_API ezlda_status ezlda_model_top_words(const ezlda_model *model, ezlda_context *context,
                                             uint32_t topic, ezlda_word_order order, double lambda,
                                             ezlda_scored *out, size_t n, size_t *written);

/* The n documents with the largest share of a topic, (count + alpha) / (length + alpha sum); those
 * without a token in the topic are left out. */
EZLDA_API ezlda_status ezlda_model_top_docs(const ezlda_model *model, ezlda_context *context,
                                            uint32_t topic, ezlda_scored *out, size_t n,
                                            size_t *written);

/* ---- new documents
 * --------------------------------------------------------------------------------------------- */

typedef struct ezlda_infer_progress {
    uint64_t docs, docs_done;
    double seconds; /* of sampling */
} ezlda_infer_progress;

typedef struct ezlda_infer_options {
    size_t size;
    uint32_t iterations; /* that every document is sampled */
    uint32_t samples;    /* taken from the last iterations, and averaged; 0: chosen, up to 10 */
    uint32_t thin;       /* iterations from one sample to the next; 0: chosen, up to 5 */
    uint64_t seed;
    const char *device;     /* as for training */
    uint64_t device_memory; /* as for training */
    uint64_t batch; /* tokens that are sampled together: memory, and nothing else; 0: chosen */
    int (*progress)(const ezlda_infer_progress *progress, void *user); /* anything but 0 stops */
    void *user;
} ezlda_infer_options;

EZLDA_API void ezlda_infer_options_init(ezlda_infer_options *options);

/* The topics of one document. Its share of topic k is (count + alpha[k]) / (tokens + alpha sum). */
typedef struct ezlda_doc_row {
    uint64_t doc;          /* in the corpus */
    uint64_t tokens;       /* of words that the model knows */
    uint64_t unknown;      /* tokens of others, which are left out */
    size_t n;              /* topics that have a token in it */
    const uint32_t *topic; /* n, ascending */
    const double *count;   /* n: tokens in the topic, a mean over the samples */
} ezlda_doc_row;

/* Called once for each document, in order, by the thread that called ezlda_infer; anything but 0
 * stops. */
typedef int (*ezlda_doc_row_fn)(const ezlda_doc_row *row, void *user);

typedef struct ezlda_infer_info {
    size_t size; /* set before the call */
    uint64_t docs, tokens;
    uint64_t docs_without; /* documents without any word that the model knows: they get the prior */
    uint64_t unknown_tokens;
    uint32_t unknown_words; /* words of the corpus that the model does not know */
    double llpt; /* log2 p(word | document) a token, after the last iteration, as in training */
    double seconds_sampling;
    uint64_t
        topics_hash; /* over the topics of all tokens after the last iteration, in document order */
    char device[64];
} ezlda_infer_info;

/* Topics of documents that the model has not seen, its words' counts fixed. Words are matched by
 * their text. Documents come one after the other with `row`; the result depends on model, corpus,
 * iterations, samples, thin and seed alone. info may be NULL. Where the model knows no word of the
 * corpus all rows are the prior, and a remark is made. */
EZLDA_API ezlda_status ezlda_infer(const ezlda_model *model, ezlda_context *context,
                                   const ezlda_corpus *corpus, const ezlda_infer_options *options,
                                   ezlda_doc_row_fn row, void *user, ezlda_infer_info *info);

typedef enum ezlda_doc_format {
    EZLDA_DOCS_TSV =
        0, /* a header, then number, name and the shares of all topics, tab-separated */
    EZLDA_DOCS_SPARSE =
        1, /* number, name, then topic:share of the topics with the largest shares, largest first */
    EZLDA_DOCS_NPY = 2,   /* NumPy's array file: float32, documents by topics */
    EZLDA_DOCS_MALLET = 3 /* as TSV without the header: MALLET's doc-topics */
} ezlda_doc_format;

/* The same into a file, written whole or not at all. top: topics of a document in
 * EZLDA_DOCS_SPARSE; only those that have a token in it are listed. */
EZLDA_API ezlda_status ezlda_infer_to_file(const ezlda_model *model, ezlda_context *context,
                                           const ezlda_corpus *corpus,
                                           const ezlda_infer_options *options, const char *path,
                                           ezlda_doc_format format, uint32_t top,
                                           ezlda_infer_info *info);

/* The shares of all topics (theta, as many values as the model has topics) of a row of ezlda_infer.
 */
EZLDA_API void ezlda_doc_row_shares(const ezlda_model *model, const ezlda_doc_row *row,
                                    double *theta);

/* ---- how good a model is
 * --------------------------------------------------------------------------------------- */

/* Measures, to be or-ed. */
enum {
    EZLDA_MEASURE_LLPT = 1,
    EZLDA_MEASURE_COMPLETION = 2, /* perplexity of half of each document, given the other half */
    EZLDA_MEASURE_LEFT_TO_RIGHT =
        4, /* perplexity of whole documents, by the left-to-right estimator */
    EZLDA_MEASURE_COHERENCE =
        8, /* of the topics' first words; their diversity and exclusivity too */
    EZLDA_MEASURE_ALL = 15
};

typedef struct ezlda_eval_progress {
    unsigned measure; /* at work */
    uint64_t docs, docs_done;
    double seconds; /* of this measure */
} ezlda_eval_progress;

typedef struct ezlda_eval_options {
    size_t size;
    unsigned measures;
    uint64_t seed;
    uint32_t iterations, samples, thin; /* for LLPT and completion, as for ezlda_infer */
    uint32_t particles;                 /* for left-to-right */
    uint32_t resample; /* ... earlier positions sampled anew at each position, at most; 0: none;
                          UINT32_MAX: all */
    uint64_t docs;     /* ... a random sample of so many documents; 0: all */
    uint32_t words;    /* for coherence: first words of a topic that are looked at */
    uint32_t npmi_window,
        c_v_window; /* ... in tokens; 0: documents, as in a corpus that did not keep its order */
    const char *device;     /* as for training */
    uint64_t device_memory; /* as for training */
    /* Called now and then by the caller's thread; anything but 0 stops: EZLDA_ERROR_STOPPED, with
     * scores so far. */
    int (*progress)(const ezlda_eval_progress *progress, void *user);
    void *user;
    int whole_windows;   /* for coherence: a word is in every window that holds it; 0: as gensim
                            slides them */
    uint64_t doc_tokens; /* for left-to-right: of longer documents so many tokens, drawn at random;
                            0: all */
} ezlda_eval_options;

EZLDA_API void ezlda_eval_options_init(ezlda_eval_options *options);

/* Perplexity = exp(-log_likelihood / tokens), over tokens of words that the model knows. Errors are
 * standard errors over documents (delta method); NaN below two documents. */
typedef struct ezlda_perplexity {
    uint64_t docs, tokens;    /* scored; 0 where it was not measured, and the rest is NaN */
    double log_likelihood;    /* of these tokens, natural logarithm */
    double perplexity, error; /* of the model */
    double unigram,
        unigram_error; /* of the training corpus' word frequencies, on the same tokens */
    double seconds;
} ezlda_perplexity;

typedef struct ezlda_scores_info {
    size_t size;         /* set before the call */
    unsigned measures;   /* that were taken; values of others are NaN or 0 */
    int training_corpus; /* whether the model was trained on this very corpus, so that nothing was
                            held out */
    uint64_t docs, tokens,
        unknown_tokens;            /* of the corpus; `tokens` are of words that the model knows */
    uint32_t words, unknown_words; /* of the corpus: known, and not */
    double llpt;         /* log2 p(word | document) a token, topics inferred with the model fixed */
    double llpt_trained; /* the model's own last one; NaN but for training_corpus */
    double llpt_seconds;
    ezlda_perplexity completion, left_to_right;
    uint64_t left_to_right_docs;  /* that could be scored, of which left_to_right.docs were drawn */
    uint32_t topics, topic_words; /* first words looked at of each topic */
    double u_mass, npmi, c_v;     /* coherence, means over topics */
    double diversity, exclusivity;    /* distinct share of all first words; mean over topics */
    uint32_t npmi_window, c_v_window; /* as used; 0: documents */
    uint32_t topics_without;          /* topics without a value of coherence */
    double coherence_seconds;
    char device[64];            /* of LLPT and completion; "" without these */
    uint64_t left_to_right_cut; /* documents of which not all tokens were scored, for they have more
                                   than doc_tokens */
} ezlda_scores_info;

/* NaN where the topic has no value. */
typedef struct ezlda_topic_scores {
    size_t size; /* set before the call */
    double u_mass, npmi, c_v, exclusivity;
    uint32_t words;    /* looked at */
    uint32_t left_out; /* of these, words that the corpus does not have */
} ezlda_topic_scores;

typedef struct ezlda_scores ezlda_scores;

/* Scores a model on a corpus, which for all but coherence should hold documents that it was not
 * trained on. Words are matched by their text; tokens of words that the model does not know are
 * left out and counted. The result depends on model, corpus and options alone, device and
 * device_memory aside. docs/quality.md has the definitions. */
EZLDA_API ezlda_status ezlda_evaluate(ezlda_scores **out, ezlda_context *context,
                                      const ezlda_model *model, const ezlda_corpus *corpus,
                                      const ezlda_eval_options *options);
EZLDA_API void ezlda_scores_get_info(const ezlda_scores *scores, ezlda_scores_info *info);
/* 0 where the number is out of range or coherence was not measured, else 1. */
EZLDA_API int ezlda_scores_topic(const ezlda_scores *scores, uint32_t topic,
                                 ezlda_topic_scores *out);
EZLDA_API void ezlda_scores_free(ezlda_scores *scores);

/* ---- two models
 * ------------------------------------------------------------------------------------------------
 */

typedef struct ezlda_match_options {
    size_t size;
    double threshold; /* least similarity of a pair, 0 to 1 */
    uint32_t words;   /* first words of each topic that are compared; 0: none */
} ezlda_match_options;

EZLDA_API void ezlda_match_options_init(ezlda_match_options *options);

typedef struct ezlda_topic_pair {
    uint32_t a, b;         /* topics of the two models */
    uint32_t shared_words; /* among the first words of both */
    double jaccard;        /* shared words / words that are among the first of either */
    double similarity;     /* sum of sqrt(p(word | a) * p(word | b)); 1: the same words in the same
                              shares */
} ezlda_topic_pair;

/* A topic without a partner, and the topic of the other model that is nearest to it, which may have
 * one. */
typedef struct ezlda_lone_topic {
    uint32_t topic, nearest;
    double similarity;
} ezlda_lone_topic;

typedef struct ezlda_match_info {
    size_t size; /* set before the call */
    uint32_t topics_a, topics_b;
    uint32_t pairs, alone_a, alone_b;
    double mean_similarity; /* of the pairs, without those of two topics that have no token */
    uint32_t words_common, words_only_a, words_only_b;
    uint64_t tokens_only_a, tokens_only_b; /* tokens of the words that only one model has */
} ezlda_match_info;

typedef enum ezlda_match_side { EZLDA_OF_A = 0, EZLDA_OF_B = 1 } ezlda_match_side;

typedef struct ezlda_match ezlda_match;

/* Matches the topics of two models one to one, so that the sum of the pairs' similarities is as
 * large as can be. Pairs below the threshold do not count; with 0 all topics of the smaller model
 * have a partner. Words are matched by their text; models without a common word are
 * EZLDA_ERROR_ARGUMENT. options may be NULL. docs/quality.md defines it all. */
EZLDA_API ezlda_status ezlda_models_match(ezlda_match **out, ezlda_context *context,
                                          const ezlda_model *a, const ezlda_model *b,
                                          const ezlda_match_options *options);
EZLDA_API void ezlda_match_free(ezlda_match *match);
EZLDA_API void ezlda_match_get_info(const ezlda_match *match, ezlda_match_info *info);
EZLDA_API const ezlda_topic_pair *ezlda_match_pairs(
    const ezlda_match *match); /* by the topic of a */
/* Topics of one model without a partner, ascending: alone_a or alone_b of them. */
EZLDA_API const ezlda_lone_topic *ezlda_match_alone(const ezlda_match *match,
                                                    ezlda_match_side side);

/* ---- other tools' formats
 * -------------------------------------------------------------------------------------- */

typedef struct ezlda_export_options {
    size_t size;
    uint32_t words;             /* of a topic: 0 for 20 (mallet-keys, csv) or 30 (pyldavis-json) */
    const ezlda_corpus *corpus; /* that it was trained on: mallet-state needs it, gensim and csv
                                   gain by it; or NULL */
    const char *corpus_name;    /* what messages call it, such as its file; NULL: nothing */
} ezlda_export_options;

EZLDA_API void ezlda_export_options_init(ezlda_export_options *options);

/* Writes a model for another tool; docs/exports.md has the formats. mallet-state, mallet-keys,
 * mallet-doc-topics, pyldavis-json and npz are files, gensim and csv folders; each is written whole
 * or not at all. mallet-state needs a model with the topics of its tokens (keep_topics). options
 * may be NULL. */
EZLDA_API ezlda_status ezlda_model_export(const ezlda_model *model, ezlda_context *context,
                                          const char *format, const char *path,
                                          const ezlda_export_options *options);

/* Reads a MALLET state (--output-state, gzipped or not) as a corpus and a model that keeps the
 * topics of its tokens, with the state's alpha and beta. A document's words are put in ascending
 * order of their numbers. */
EZLDA_API ezlda_status ezlda_model_from_mallet_state(ezlda_model **model, ezlda_corpus **corpus,
                                                     ezlda_context *context, const char *path);

/* ---- how many topics
 * ------------------------------------------------------------------------------------------- */

/* One model of a sweep. */
typedef struct ezlda_sweep_run {
    size_t size; /* set before the call, as in all that follow */
    uint32_t topics;
    uint64_t seed;
    int done;                    /* 0: not run, and the rest is 0 or NaN */
    int found;                   /* done by an earlier sweep into this folder */
    uint32_t iterations;         /* done; fewer than asked for where the training converged */
    double llpt;                 /* of training, after the last iteration */
    ezlda_perplexity completion; /* on the documents that were held out */
    double u_mass, npmi, c_v;    /* coherence, on the whole corpus */
    double diversity, exclusivity;
    double similarity; /* mean of its topics', matched with those of each earlier seed; NaN for the
                          first */
    double seconds;    /* of sampling, in training */
    double scoring_seconds;
    uint64_t topics_hash; /* of the model */
} ezlda_sweep_run;

/* One number of topics: means over the seeds that are done, NaN without any. */
typedef struct ezlda_sweep_row {
    size_t size;
    uint32_t topics;
    uint32_t runs; /* done */
    double perplexity;
    double spread; /* standard deviation over seeds; NaN below two */
    double error;  /* standard error: of documents, and of seeds where there are two or more */
    double unigram, unigram_error;
    double u_mass, npmi, c_v, diversity, exclusivity, llpt;
    double stability; /* mean similarity of matched topics over all pairs of seeds; NaN below two */
    double seconds;   /* of sampling, in one training */
    /* Less the perplexity of the best row, or of word frequencies (unigram): below 0 is better.
     * Errors are those of the difference, paired by document, and of seeds where there are two or
     * more. NaN where info.recommended is 0. */
    double to_best, to_best_error, to_unigram, to_unigram_error;
} ezlda_sweep_row;

typedef struct ezlda_sweep_info {
    size_t size;
    size_t rows;                      /* numbers of topics, ascending */
    size_t runs, runs_done;           /* of all rows */
    size_t runs_found;                /* ... of which done by an earlier sweep */
    int stopped;                      /* by the callback: the same call goes on from there */
    uint64_t docs, tokens;            /* trained on */
    uint64_t held_docs, held_tokens;  /* held out */
    uint32_t npmi_window, c_v_window; /* as used for coherence, in tokens; 0: documents */
    /* Numbers of topics; 0 before all runs are done, or where there is nothing to compare. */
    uint32_t recommended;     /* the smallest whose to_best is at most to_best_error */
    uint32_t best_perplexity; /* the lowest mean */
    uint32_t best_npmi;       /* the highest mean */
    uint32_t best_stability;
} ezlda_sweep_info;

typedef enum ezlda_sweep_stage {
    EZLDA_SWEEP_TRAINING = 0, /* after each iteration */
    EZLDA_SWEEP_SCORING = 1,  /* now and then */
    EZLDA_SWEEP_DONE = 2      /* once for each run, also for one that was found */
} ezlda_sweep_stage;

typedef struct ezlda_sweep_progress {
    ezlda_sweep_stage stage;
    size_t number, runs;                /* of this run, from 1; of all */
    const ezlda_sweep_run *run;         /* scores once it is done */
    const ezlda_progress *training;     /* in EZLDA_SWEEP_TRAINING, else NULL */
    const ezlda_eval_progress *scoring; /* in EZLDA_SWEEP_SCORING, else NULL */
} ezlda_sweep_progress;

typedef struct ezlda_sweep_options {
    size_t size;
    const uint32_t *topics; /* n_topics different numbers */
    size_t n_topics;
    uint32_t seeds;   /* models of each, from train->seed on */
    double held_out;  /* share of the documents that is not trained on */
    double alpha_sum; /* alpha of each topic is this / topics; 0: as in train */
    /* NULL: defaults. topics and progress are the sweep's own; init, seeds, checkpoint and group
     * are refused; an alpha_vector needs a single number of topics. */
    const ezlda_train_options *train;
    const ezlda_eval_options *eval; /* NULL: defaults. measures and progress are the sweep's own. */
    const char *folder;
    int (*progress)(const ezlda_sweep_progress *progress, void *user); /* anything but 0 stops */
    void *user;
} ezlda_sweep_options;

EZLDA_API void ezlda_sweep_options_init(ezlda_sweep_options *options);

typedef struct ezlda_sweep_scores ezlda_sweep_scores;

/* Trains and scores a model for every number of topics and every seed. The folder (made where it is
 * missing) gets the models, k100-seed1.ezm and so on, their scores of documents, and results.tsv,
 * written anew after each run: a call with the folder of an earlier one goes on where that ended,
 * and may add numbers of topics and seeds. A folder of another corpus or other options is
 * EZLDA_ERROR_ARGUMENT. A callback that stops loses the training at work and nothing else; that is
 * EZLDA_OK. docs/quality.md has the definitions. */
EZLDA_API ezlda_status ezlda_sweep(ezlda_sweep_scores **out, ezlda_context *context,
                                   const ezlda_corpus *corpus, const ezlda_sweep_options *options);
EZLDA_API void ezlda_sweep_get_info(const ezlda_sweep_scores *scores, ezlda_sweep_info *info);
/* Row or run by its place (rows by topics, runs by topics and then by seed): 0 past the end,
 * else 1. */
EZLDA_API int ezlda_sweep_get_row(const ezlda_sweep_scores *scores, size_t i, ezlda_sweep_row *row);
EZLDA_API int ezlda_sweep_get_run(const ezlda_sweep_scores *scores, size_t i, ezlda_sweep_run *run);
EZLDA_API void ezlda_sweep_free(ezlda_sweep_scores *scores);

/* ---- the report
 * ------------------------------------------------------------------------------------------------
 */

enum { EZLDA_REPORT_MOST_WORDS = 1000, EZLDA_REPORT_MOST_DOCS = 1000 };

typedef struct ezlda_report_options {
    size_t size;
    const char *title;       /* of the page; NULL: "Topics" */
    const char *other_title; /* what the other model is called; NULL: "the other" */
    const char *created;     /* the day that the page shows; NULL: today */
    uint32_t words; /* of each topic, for any lambda; 0: 30, fewer where there are many topics */
    uint32_t docs;  /* first documents of each topic; 0: 10, fewer where there are many topics */
    const char
        *field; /* of the corpus: drawn by topic; NULL: all that are dates or have few values */
    const char *corpus_name; /* what messages call the corpus, such as its file; NULL: nothing */
} ezlda_report_options;

EZLDA_API void ezlda_report_options_init(ezlda_report_options *options);

typedef struct ezlda_report ezlda_report;

/* Computes what the report shows. corpus, or NULL, must be the one that the model was trained on:
 * it gives scores, fields and the words of documents. other, or NULL: a model whose topics are
 * matched with these. All three must live as long as the report. The same inputs give the same
 * report; options may be NULL. See docs/report.md. */
EZLDA_API ezlda_status ezlda_report_make(ezlda_report **out, ezlda_context *context,
                                         const ezlda_model *model, const ezlda_corpus *corpus,
                                         const ezlda_model *other,
                                         const ezlda_report_options *options);
EZLDA_API void ezlda_report_free(ezlda_report *report);

/* One HTML file that needs nothing else, written whole or not at all. */
EZLDA_API ezlda_status ezlda_report_write(const ezlda_report *report, ezlda_context *context,
                                          const char *path);

/* Pictures: map.svg and topic-NUMBER.svg of every topic, in a folder that is written whole or not
 * at all. One of an earlier call is replaced. */
EZLDA_API ezlda_status ezlda_report_write_svg(const ezlda_report *report, ezlda_context *context,
                                              const char *folder);

typedef struct ezlda_serve_options {
    size_t size;
    uint16_t port; /* of the loopback interface; 0: any that is free */
    /* Called once connections are taken, and then now and then; anything but 0 ends the service. */
    int (*running)(uint16_t port, void *user);
    void *user;
} ezlda_serve_options;

EZLDA_API void ezlda_serve_options_init(ezlda_serve_options *options);

/* Shows the report to browsers on this machine (http://127.0.0.1:PORT/), with every document on
 * demand, until `running` says otherwise. Takes GET from this machine alone, and opens no file. */
EZLDA_API ezlda_status ezlda_report_serve(const ezlda_report *report, ezlda_context *context,
                                          const ezlda_serve_options *options);

#ifdef __cplusplus
}
#endif
#endif
