/* ezlda.h - topic models (LDA) for millions of documents and thousands of topics.
 *
 * The one public header of libezlda: strict C11, clean in C++, no CUDA types. This program reads a
 * corpus, trains a model and prints the first words of each topic:
 *
 *     int main(int argc, char **argv)
 *     {
 *         ezlda_context *context = NULL;
 *         ezlda_corpus *corpus = NULL;
 *         ezlda_model *model = NULL;
 *         ezlda_scored top[8];
 *         size_t n = 0;
 *         const char *path = argc > 1 ? argv[1] : "-";
 *         ezlda_train_options options;
 *         ezlda_train_options_init(&options);
 *         options.topics = 10;
 *         if (ezlda_context_create(&context) ||
 *             ezlda_corpus_read(&corpus, context, &path, 1, NULL) ||
 *             ezlda_train(&model, context, corpus, &options))
 *             fprintf(stderr, "%s\n", ezlda_error_message(context));
 *         for (uint32_t k = 0; model && k < options.topics; k++, putchar('\n'))
 *             if (!ezlda_model_top_words(top, 8, &n, context, model, k, EZLDA_BY_PROBABILITY, 1))
 *                 for (size_t i = 0; i < n; i++)
 *                     printf("%s ", ezlda_model_word(model, (uint32_t)top[i].id));
 *         ezlda_model_free(model);
 *         ezlda_corpus_free(corpus);
 *         ezlda_context_free(context);
 *     }
 *
 * Rules that hold for every call:
 *
 * - Handles are opaque. A handle that a call creates through an `out` argument belongs to the
 *   caller, who frees it with the matching _free call. Every _free call accepts NULL. Strings and
 *   arrays that a call returns belong to the handle that they come from and live as long as it.
 * - A call that can fail returns an ezlda_status. After a failure every `out` handle is NULL, other
 *   outputs are unchanged unless the call says otherwise, and the text of the failure is in the
 *   context (ezlda_error_message). The text names the file, the line and what was expected.
 * - The context may be NULL if the text does not matter. Any other pointer may be NULL only if the
 *   call says so. A call that can fail returns EZLDA_ERROR_ARGUMENT for a NULL that is not allowed;
 *   a call that cannot fail must not be given one.
 * - Order of arguments. Calls that can fail: outputs, context, the object, other inputs, options,
 *   what else steers the call (a path, a format, a limit), callback, user pointer. Calls that
 * cannot fail: the object, what is asked for, outputs.
 * - Options and results are structs that begin with their size. Fill options with their _init
 *   macro, then change what you need. In results set `size` to sizeof before the call. A program
 *   built against an older header has shorter structs: the library reads and writes no byte beyond
 *   `size`, and members that the caller's struct does not have keep their defaults. Structs without
 *   `size` are frozen: they never change.
 * - Callbacks run on the thread that made the call. A callback that asks to stop ends the call
 *   cleanly. If there is a partial result, the call returns EZLDA_OK and the result's `stopped`
 *   says so. If there is none, the call returns EZLDA_ERROR_STOPPED.
 * - Names of files are UTF-8 on Windows, and bytes elsewhere. "/" separates folders on every
 *   system.
 * - The library never prints, never exits and leaves no half-written file behind.
 * - A context is used by one thread at a time. Corpora and models are read-only once they are made
 *   and may be shared between threads; an index that a model builds on first use is locked inside.
 * - Calls marked "unstable" may change in any release. All others change only with the SONAME.
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

/* ==== version ==== */

#define EZLDA_VERSION_MAJOR 0
#define EZLDA_VERSION_MINOR 1
#define EZLDA_VERSION_PATCH 0
#define EZLDA_VERSION \
    (EZLDA_VERSION_MAJOR * 10000 + EZLDA_VERSION_MINOR * 100 + EZLDA_VERSION_PATCH)

/* The version of the library at run time: as EZLDA_VERSION, and as text ("0.1.0"). */
EZLDA_API int ezlda_version(void);
EZLDA_API const char *ezlda_version_string(void);

/* ==== status and context ==== */

/* The numbers are pinned: they never change their meaning. */
typedef enum ezlda_status {
    EZLDA_OK = 0,
    EZLDA_ERROR_MEMORY = 1,      /* not enough memory */
    EZLDA_ERROR_ARGUMENT = 2,    /* an option or argument is out of its range */
    EZLDA_ERROR_IO = 3,          /* a file could not be opened, read or written */
    EZLDA_ERROR_FORMAT = 4,      /* a file does not follow its format, or is damaged */
    EZLDA_ERROR_DEVICE = 5,      /* the requested device is missing or failed */
    EZLDA_ERROR_UNSUPPORTED = 6, /* valid, but beyond what this build or one process can do */
    EZLDA_ERROR_STOPPED = 7,     /* a callback asked to stop, and there is no partial result */
    EZLDA_ERROR_INTERNAL = 8     /* a bug in the library */
} ezlda_status;

/* A status in words, such as "stopped". Never NULL. */
EZLDA_API const char *ezlda_status_name(ezlda_status status);

/* Holds the text of the last failure, the number of threads and the note callback. */
typedef struct ezlda_context ezlda_context;

EZLDA_API ezlda_status ezlda_context_create(ezlda_context **out);
EZLDA_API void ezlda_context_free(ezlda_context *context);

/* The text of the last failure with this context, or "" if the last call succeeded. Valid until the
 * next call with this context. */
EZLDA_API const char *ezlda_error_message(const ezlda_context *context);

/* Sets the number of threads for everything done with this context, at most 4096. 0, the default:
 * one per processor that the process may use, or OMP_NUM_THREADS if it is set. A process forked
 * after its parent used several threads always gets 1. */
EZLDA_API void ezlda_context_set_threads(ezlda_context *context, int threads);
EZLDA_API int ezlda_context_threads(const ezlda_context *context);

/* How much a note matters. */
typedef enum ezlda_note_level {
    EZLDA_NOTE_INFO = 0,    /* what was chosen or detected: a format, a language, a device */
    EZLDA_NOTE_WARNING = 1, /* input or options look like a mistake; the call continues */
    EZLDA_NOTE_FAILURE = 2  /* part of what was asked for failed, such as writing a checkpoint;
                               the call continues without it */
} ezlda_note_level;

/* Receives a note: one line of text without a newline, valid during the call. */
typedef void (*ezlda_note_fn)(ezlda_note_level level, const char *text, void *user);

/* Sets the note callback; NULL, the default, discards notes. */
EZLDA_API void ezlda_context_set_notes(ezlda_context *context, ezlda_note_fn note, void *user);

/* Removes all files that the library is writing under temporary names. Async-signal-safe: call it
 * in a signal handler that then ends the process, or in a console control handler on Windows.
 * Unstable. */
EZLDA_API void ezlda_remove_temporaries(void);

/* ==== MPI ==== */

/* The ranks of an MPI job that train one model together, each with a share of the documents. Every
 * rank makes the same calls. */
typedef struct ezlda_group ezlda_group;

/* Opens the MPI job that this process belongs to. If the process was not started under MPI, *out is
 * NULL and the call succeeds.
 * mpi: "openmpi", "mpich" or the path of a module; NULL: decided by the launcher's environment.
 * If the program has called MPI_Init itself, its job is joined, and ezlda_group_close does not
 * finalise it. Fails if the launcher started several processes but MPI reports only one (a
 * mismatched MPI library), unless EZLDA_MPI is "none". */
EZLDA_API ezlda_status ezlda_group_open(ezlda_group **out, ezlda_context *context, const char *mpi);
EZLDA_API int ezlda_group_rank(const ezlda_group *group);            /* from 0; 0 for NULL */
EZLDA_API int ezlda_group_ranks(const ezlda_group *group);           /* 1 for NULL */
EZLDA_API const char *ezlda_group_library(const ezlda_group *group); /* the MPI and its version */
/* Ends the processes of all ranks, including this one. Call it if this rank fails: the others keep
 * waiting for it otherwise. */
EZLDA_API void ezlda_group_fail(ezlda_group *group);
EZLDA_API void ezlda_group_close(ezlda_group *group);

/* ==== corpora ==== */

/* Documents as bags of words, with a vocabulary and fields such as name, label and date. */
typedef struct ezlda_corpus ezlda_corpus;

/* How text became words: stop words, stemmer, phrases and so on. A corpus keeps its rules, and so
 * does a model trained on it. */
typedef struct ezlda_text_rules ezlda_text_rules;

/* How inputs are read.
 * Text (mallet, text, dir, csv, tsv, jsonl, json, html, xml, markdown) is split into words: runs of
 * letters, in lower case and normalised (NFKC); docs/import.md has the rules. A bag of words (ezc,
 * uci, mm, ldac, svmlight, hdf5, mallet-state) is used as it is, except that min_docs,
 * max_docs_share, max_vocab and stop words given by name (not "auto") remove words from it. An
 * option that means nothing for the input's format is an error. */
typedef struct ezlda_import_options {
    size_t size;
    /* ezc, uci, mm, ldac, svmlight, hdf5, mallet-state, mallet, text, dir, csv, tsv, jsonl, json,
     * html, xml (TEI too), markdown; NULL: detected, for each file of a folder too */
    const char *format;
    /* Vocabulary file of a bag of words; NULL: looked for beside the input, else words are numbers
     */
    const char *vocab;

    /* Fields of csv, tsv, jsonl and json. In JSON, a.b and a[0].b name nested fields; the values of
     * a list are joined by newlines. Files of HTML, XML and Markdown, also those in a folder, have
     * the fields that they state (title, author, date, ...), several values joined by "; ". Their
     * names and labels are path and folder unless name_field and label_field are given. */
    /* The field that holds the text, or several, comma-separated, whose texts are joined by a
     * newline; NULL: "text", else the field with the longest natural language, if that is clear. A
     * field whose own name contains commas takes precedence over a list. */
    const char *text_field;
    const char *name_field;  /* document name; NULL: "id" or "name" if present, else line number */
    const char *label_field; /* document label; NULL: "label" if present */
    const char *keep_fields; /* more fields to keep, comma-separated; NULL: none */

    /* Words of text. */
    /* Words to remove, comma-separated: languages ("en", "german"), files, "auto" (the stop words
     * of each document's own language), "corpus" (frequent words that are spread evenly over the
     * documents); "none"; NULL: "auto". "auto" does as "corpus" if most documents have no language
     * with a list. */
    const char *stopwords;
    /* Snowball language ("english"); NULL or "none": no stemming. The vocabulary has the most
     * frequent form of each stem ("story", not "stori"). Not with `lemmas`. */
    const char *stemmer;
    uint32_t stem_below; /* stem only words in fewer than this many documents; 0: all */
    uint32_t min_length; /* shortest word kept, in characters; a Chinese character counts as two */
    uint32_t ngrams;     /* 1: single words; n: also phrases of up to n neighbouring words */

    /* Vocabulary of any input. */
    /* A word must be in at least min_docs documents and in at most this share of them; 1: all words
     * stay. 0: chosen. Bags of words keep all words then, and so does text that is read with
     * `like`, unless like_limits is set. Words of other text must be in 2 documents of 100, in 3 of
     * 1,000 or more, and in at most half of 100 or more; a limit that would remove more than half
     * of the tokens is not set. A note says what was removed. */
    uint64_t min_docs;
    double max_docs_share;
    uint32_t max_vocab; /* keep only this many of the most frequent words; 0: all */

    int keep_case;    /* do not turn words into lower case */
    int keep_numbers; /* words may contain digits */
    /* Keep the order of the words in each document, for coherence in windows. Text has an order;
     * corpus files keep theirs, and all inputs must have one if it is requested. Other bags of
     * words are refused. */
    int keep_order;
    /* Read text by these rules. They replace the options above that are at their defaults: stop
     * words (none are guessed), stemmer, stem_below, lemmas, min_length, ngrams, keep_case,
     * keep_numbers, tokens, keep_markup, fields that the input has too, unit, split, include,
     * exclude. Ignored for other formats. */
    const ezlda_text_rules *like;
    int min_length_given, ngrams_given; /* non-zero: the value above wins over `like` in any case */
    /* Encoding of text, by a name that iconv knows ("latin1", "windows-1252", "utf-16"); NULL:
     * found for each file by its byte order mark, by UTF-8 that is valid, or by a detector. Stop
     * word and vocabulary files are always UTF-8. */
    const char *encoding;

    /* What one document is. */
    /* Plain text: "lines" or "files"; NULL: as `like` says, else one document per file if there are
     * several files and their lines look like running text or are few, else one per line */
    const char *unit;
    /* Cut texts into several documents, NAME#1, NAME#2, ...: of about this many words each,
     * or "blank": at empty lines; NULL: as `like` says, else not at all. Each plain text
     * file is then one document before it is cut, unless `unit` is "lines". */
    const char *split;
    /* Files of folders and archives to read, and not to read: shell patterns, comma-separated, for
     * a path, a file's name or a folder; NULL: as `like` says, else all and none */
    const char *include, *exclude;
    /* How text is cut into words. "auto": at everything that is not a letter; runs of Chinese,
     * Japanese, Thai, Lao, Burmese and Khmer letters by the dictionaries of ICU, or if libicuuc is
     * not installed, into overlapping pairs of characters, with a warning. "icu": the same, but an
     * error without ICU. "pairs": always pairs. "spaces": a run is one word. "pre": every piece
     * between whitespace is a word as it stands; case, digits and punctuation stay, and min_length
     * is 1 unless it is given. "units": the same between unit separators (U+001F), so that words
     * may have spaces. NULL: "auto". */
    const char *tokens;
    /* Keep tags, character entities, URLs, e-mail addresses and encoded data (uuencode, base64,
     * PGP) in text, and read HTML, XML and Markdown as plain text; 0: they are removed. If the
     * rules in `like` kept them, they are kept. */
    int keep_markup;
    /* Phrases of two to four words that belong together ("new_york") replace their words. "auto":
     * neighbours that pass a test of significance and have an NPMI of at least 0.5; a number above
     * 0 and up to 1: of at least that; "none"; NULL: those of `like`, else none. Not with ngrams
     * above 1, which adds all phrases and keeps the words, and not with words that are split
     * already (tokens). */
    const char *phrases;
    /* With `like`: min_docs and max_docs_share that are 0 are those of `like`. For a corpus to
     * continue training on; text to infer keeps its words, since a model ignores those that it does
     * not know. */
    int like_limits;
    /* Replace words by their lemmas ("house" for "houses"): a UTF-8 file with lines of a form, a
     * tab and its lemma; or a language whose table CODE.tsv (or .gz) is in the folder lemmas of
     * $EZLDA_DATA, $XDG_DATA_HOME/ezlda (~/.local/share/ezlda) or /usr/share/ezlda; "none"; NULL:
     * as `like` says, else none. Not with a stemmer. */
    const char *lemmas;
    /* Keep the text of each document, compressed, with the place of each token in it. Markup that
     * was removed is not in it. 1: yes; 0: no; EZLDA_KEEP_TEXT_AUTO: if all texts together have at
     * most EZLDA_KEEP_TEXT_BYTES. Corpus files keep the text they have; other bags of words have
     * none. */
    int keep_text;
} ezlda_import_options;

#define EZLDA_KEEP_TEXT_AUTO (-1)
#define EZLDA_KEEP_TEXT_BYTES ((uint64_t)64 << 20)

#define ezlda_import_options_init(options) \
    ezlda_import_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_import_options_init_sized(ezlda_import_options *options, size_t size);

/* Reads one or more inputs of one format ("-": standard input) as one corpus, in order. If no
 * format is given it is detected from the first input; an input that is recognised as another
 * format is an error. Input compressed by gzip, zstd or xz is decompressed. Every document is
 * kept, even if it is empty. A corpus file (.ezc) is mapped, not read. options may be NULL. */
EZLDA_API ezlda_status ezlda_corpus_read(ezlda_corpus **out, ezlda_context *context,
                                         const char *const *paths, size_t n_paths,
                                         const ezlda_import_options *options);

/* A text in memory, without a NUL at its end. at is NULL if it is missing. Frozen. */
typedef struct ezlda_text {
    const char *at;
    size_t size;
} ezlda_text;

/* Some records of a program: field f of record i is values[i * n_fields + f]. Frozen. */
typedef struct ezlda_records {
    uint64_t n;
    const ezlda_text *values;
} ezlda_records;

/* Hands over the next records, or none at the end (n 0). The values must stay valid until the next
 * call. Unlike other callbacks it runs on any thread of the library, one call at a time. Any value
 * but 0 stops. */
typedef int (*ezlda_records_fn)(ezlda_records *records, void *user);

/* Makes a corpus from records that the program hands over, as ezlda_corpus_read does from JSON
 * Lines with these fields. The text must be UTF-8; NUL bytes are read as spaces. Memory does not
 * grow with the text of the records. The options text_field, name_field, label_field and
 * keep_fields name fields; format, encoding, vocab, unit, include and exclude are refused. Messages
 * name records by their number, from 1. EZLDA_ERROR_STOPPED if the callback stops. */
EZLDA_API ezlda_status ezlda_corpus_from_records(ezlda_corpus **out, ezlda_context *context,
                                                 const char *const *fields, uint32_t n_fields,
                                                 const ezlda_import_options *options,
                                                 ezlda_records_fn next, void *user);

/* Makes a corpus from a CSR matrix of counts, one document per row. The arrays are copied.
 * row_start: n_docs + 1; words: n_words strings, or NULL: words are numbers. The ids of a row may
 * come in any order and more than once (counts add up); a count of 0 is ignored. */
EZLDA_API ezlda_status ezlda_corpus_from_csr(ezlda_corpus **out, ezlda_context *context,
                                             uint64_t n_docs, uint32_t n_words,
                                             const uint64_t *row_start, const uint32_t *word,
                                             const uint32_t *count, const char *const *words);

typedef struct ezlda_synth_options {
    size_t size;
    uint64_t docs;
    uint32_t words;
    double mean_length; /* tokens per document: mean of a log-normal distribution */
    double sigma;       /* sigma of the log-normal; 0: all documents have the same length */
    uint32_t topics;
    double alpha; /* Dirichlet parameter of each topic in a document; 0: 5 / topics */
    double beta;  /* concentration of a topic's words around the Zipf frequencies; smaller values
                     give sharper topics */
    double zipf;  /* exponent of the word frequencies */
    uint64_t seed;
} ezlda_synth_options;

#define ezlda_synth_options_init(options) \
    ezlda_synth_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_synth_options_init_sized(ezlda_synth_options *options, size_t size);

/* Draws a corpus from the LDA generative process. The same options give the same corpus on every
 * machine. */
EZLDA_API ezlda_status ezlda_corpus_synth(ezlda_corpus **out, ezlda_context *context,
                                          const ezlda_synth_options *options);

/* Splits a corpus by documents, at random. `share` of the documents (rounded; at least one on
 * either side) go to *test, the others to *train, in their order and with their fields. Both have
 * the whole vocabulary. The same corpus, share and seed give the same split. */
EZLDA_API ezlda_status ezlda_corpus_split(ezlda_corpus **train, ezlda_corpus **test,
                                          ezlda_context *context, const ezlda_corpus *corpus,
                                          double share, uint64_t seed);

/* Makes a corpus of these documents, in this order, with their fields and all words of the corpus.
 * docs: n_docs numbers of documents; one may occur more than once. If they do not ascend, all
 * documents of the corpus are decoded, which takes 8 bytes per pair meanwhile. */
EZLDA_API ezlda_status ezlda_corpus_select(ezlda_corpus **out, ezlda_context *context,
                                           const ezlda_corpus *corpus, const uint64_t *docs,
                                           uint64_t n_docs);

/* Makes a corpus of the documents of n corpora, in order. Words and fields are matched by their
 * text, unless each vocabulary is the beginning of the longest one. The order of words and the
 * texts are kept if all corpora have them, and the rules of text if they are the same. */
EZLDA_API ezlda_status ezlda_corpus_join(ezlda_corpus **out, ezlda_context *context,
                                         const ezlda_corpus *const *corpora, size_t n);

/* Makes a copy of a corpus with these fields instead of its own ("name", "label", ...).
 * values[f * docs + d] is field f of document d; NULL: "". */
EZLDA_API ezlda_status ezlda_corpus_with_fields(ezlda_corpus **out, ezlda_context *context,
                                                const ezlda_corpus *corpus,
                                                const char *const *fields, uint32_t n_fields,
                                                const char *const *values);

/* Writes a corpus file: under a temporary name, then renamed. After a failure an existing file is
 * unchanged. */
EZLDA_API ezlda_status ezlda_corpus_save(ezlda_context *context, const ezlda_corpus *corpus,
                                         const char *path);
EZLDA_API void ezlda_corpus_free(ezlda_corpus *corpus);

typedef struct ezlda_corpus_info {
    size_t size; /* set before the call */
    uint64_t docs, empty_docs;
    uint32_t words;
    uint64_t pairs; /* distinct (document, word) pairs */
    uint64_t tokens;
    uint64_t longest;    /* tokens of the longest document */
    uint64_t hash;       /* hash of documents and vocabulary */
    uint64_t bytes;      /* bytes of the corpus as a file */
    uint32_t fields;     /* strings kept with each document: name, label, ... */
    int has_order;       /* whether the order of the words in each document was kept */
    int has_text;        /* whether the text of the documents was kept */
    uint64_t text_bytes; /* bytes of the text in the file, with the places of its tokens */
} ezlda_corpus_info;

EZLDA_API void ezlda_corpus_get_info(const ezlda_corpus *corpus, ezlda_corpus_info *info);

/* The languages with a list of stop words: code ("en") and English name ("english") of language i,
 * from 0; NULL past the end. */
EZLDA_API const char *ezlda_language_code(uint32_t i);
EZLDA_API const char *ezlda_language_name(uint32_t i);

/* The rules by which text became the corpus's words, or NULL if it was read from a bag of words.
 * They belong to the corpus. */
EZLDA_API const ezlda_text_rules *ezlda_corpus_text_rules(const ezlda_corpus *corpus);
/* Describes rules in words ("318 stop words removed, ..."), cut to `size` bytes; "" for NULL. */
EZLDA_API void ezlda_text_rules_describe(const ezlda_text_rules *rules, char *text, size_t size);

/* A word by its number, or NULL if the number is out of range. */
EZLDA_API const char *ezlda_corpus_word(const ezlda_corpus *corpus, uint32_t word);

/* The name of field f ("name", "label", ...), or NULL if f is out of range; and the field's value
 * for a document, "" if it has none. */
EZLDA_API const char *ezlda_corpus_field(const ezlda_corpus *corpus, uint32_t field);
EZLDA_API const char *ezlda_corpus_field_value(const ezlda_corpus *corpus, uint32_t field,
                                               uint64_t doc);

/* The distinct words of a document, ascending, with their counts. Writes up to `capacity` pairs and
 * returns how many the document has; a call with capacity 0 asks for the number. */
EZLDA_API size_t ezlda_corpus_document(const ezlda_corpus *corpus, uint64_t doc, uint32_t *word,
                                       uint32_t *count, size_t capacity);

/* Where a token stands in the text of its document. Frozen. */
typedef struct ezlda_text_place {
    uint64_t at; /* byte of the text where it begins */
    uint32_t bytes;
    uint32_t word; /* its number */
} ezlda_text_place;

/* The text of a document: UTF-8 with a NUL at its end, and the places of all of its tokens, in
 * ascending order; pieces of words and phrases may overlap. Frozen. */
typedef struct ezlda_doc_text {
    const char *text;
    size_t bytes; /* without the NUL */
    const ezlda_text_place *places;
    size_t n_places;
} ezlda_doc_text;

/* Reads the text of a document, which the corpus must have kept (keep_text); only the compressed
 * block of the document is read. May be called from several threads, each with its own context.
 * The text belongs to the caller (ezlda_doc_text_free, which accepts NULL). */
EZLDA_API ezlda_status ezlda_corpus_doc_text(ezlda_doc_text **out, ezlda_context *context,
                                             const ezlda_corpus *corpus, uint64_t doc);
EZLDA_API void ezlda_doc_text_free(ezlda_doc_text *text);

/* ==== devices ==== */

typedef struct ezlda_device {
    size_t size;
    char device[16];  /* as the train options accept it: "cuda:0", "cpu" */
    char name[128];   /* name of the GPU, or model of the processor */
    int usable;       /* whether this build can train on it */
    int chosen;       /* whether "auto" uses it */
    char reason[512]; /* why it cannot be used, one sentence; "" if it can */
    char kernels[24]; /* the kernels it runs: "sm_90"; on the CPU "avx512", "avx2", "neon" or
                         "plain" */
    int processors;   /* multiprocessors of a GPU; processors that the process may use */
    int cores;        /* cores that these processors belong to; 0 for a GPU */
    int threads;      /* threads that the context uses on the CPU; 0 for a GPU */
    int capability;   /* compute capability of a GPU, 90 for 9.0; 0 for the CPU */
    uint64_t memory_bytes, memory_free_bytes; /* memory of a GPU */
} ezlda_device;

typedef struct ezlda_devices_info {
    size_t size;       /* set before the call */
    int cuda_build;    /* CUDA version that compiled the kernels, 13000 for 13.0; 0: no CUDA */
    int cuda_driver;   /* CUDA version that the driver supports; 0: no driver */
    char covers[256];  /* GPUs this build supports: "compute capability 7.5, 8.0, 9.0 and newer";
                          "" without CUDA */
    char no_cuda[512]; /* why no GPU is listed, one sentence; "" if one is */
    char choice[16];   /* what "auto" uses: "cuda:0", "cpu" */
    char why[512];     /* why it uses that */
} ezlda_devices_info;

typedef void (*ezlda_device_fn)(const ezlda_device *device, void *user);

/* Lists what this machine can train on: the CUDA devices in the driver's order, then the CPU. Opens
 * each GPU to see whether it can be used and how much memory is free. Finding only the CPU is not
 * an error; info->no_cuda then explains why. info and device may be NULL. */
EZLDA_API ezlda_status ezlda_devices(ezlda_devices_info *info, ezlda_context *context,
                                     ezlda_device_fn device, void *user);

/* Starts to open a device in the background for a run or an inference that follows: the driver
 * takes about as long as reading a corpus. Fails at once if a GPU is named and there is no driver,
 * or the build has no CUDA. Any other device error is reported by the call that uses the device.
 * Does nothing for the CPU. The context must not be NULL: it owns the device. */
EZLDA_API ezlda_status ezlda_context_open_device(ezlda_context *context, const char *device);

/* ==== training ==== */

typedef struct ezlda_model ezlda_model;

typedef enum ezlda_estimator {
    EZLDA_LEAVE_ONE_OUT = 0, /* a token's own topic is removed from its document's counts */
    EZLDA_ESCA = 1           /* the estimator of the ezLDA paper */
} ezlda_estimator;

typedef enum ezlda_start {
    EZLDA_START_KEYWORD = 0, /* documents start in the topics of their most characteristic words */
    EZLDA_START_RANDOM = 1,  /* every token starts in a random topic, as in the paper */
    /* Random if iterations are not given and the corpus has at most half a million tokens, because
     * such a run makes a thousand iterations; else keyword, which needs fewer. A run that resumes
     * keeps its own start. */
    EZLDA_START_AUTO = 2
} ezlda_start;

/* How much is decided early, before a token's whole line is known. */
typedef enum ezlda_sampler {
    EZLDA_MANY_BRANCH = 0,  /* the top topics, by interval */
    EZLDA_THREE_BRANCH = 1, /* the first topic only, as in the paper */
    EZLDA_TWO_BRANCH = 2    /* nothing */
} ezlda_sampler;
/* How W, the counts of topics by word, is stored. */
typedef enum ezlda_w_format {
    EZLDA_W_HYBRID = 0, /* dense rows for words of more than K tokens, sparse rows for the others */
    EZLDA_W_DENSE = 1,
    EZLDA_W_SPARSE = 2
} ezlda_w_format;
/* How the blocks of a GPU share the words. */
typedef enum ezlda_balance {
    EZLDA_BALANCE_SPLIT = 0,   /* a free block takes the next word, or region of a frequent word */
    EZLDA_BALANCE_DYNAMIC = 1, /* a free block takes the next word */
    EZLDA_BALANCE_NONE = 2     /* words are assigned to blocks beforehand */
} ezlda_balance;

/* Switches for studying the algorithm. The model does not depend on them, and the defaults are the
 * fastest. Unstable. */
typedef struct ezlda_study {
    size_t size;
    ezlda_sampler sampler;
    int g; /* top topics looked up to decide a token early, 1 to 8; 0: chosen by measurement */
    ezlda_w_format w_format;
    ezlda_balance balance; /* GPU only */
    uint32_t region;       /* GPU only: tokens of a region; 0: 10,000, fewer if a GPU has few */
    int loose_records;     /* GPU only: the records of words are not packed */
} ezlda_study;

#define ezlda_study_init(study) ezlda_study_init_sized((study), sizeof *(study))
EZLDA_API void ezlda_study_init_sized(ezlda_study *study, size_t size);

typedef struct ezlda_progress {
    uint32_t iteration; /* just finished, from 1 */
    uint32_t iterations;
    uint64_t tokens;
    double seconds;           /* seconds of sampling, with the start and without scoring */
    double iteration_seconds; /* key of this iteration */
    double skipped;           /* share of tokens decided without their document's row of D */
    double moved;             /* share of tokens whose topic changed */
    double llpt;              /* after this iteration; NaN if it was not scored */
} ezlda_progress;             /* frozen */

/* What a progress callback returns. Any other value means EZLDA_PROGRESS_STOP. */
enum {
    EZLDA_PROGRESS_CONTINUE = 0,
    EZLDA_PROGRESS_STOP = 1, /* end cleanly with the model so far */
    EZLDA_PROGRESS_LEAVE = 2 /* write a checkpoint and end without a model (EZLDA_ERROR_STOPPED);
                                means STOP if no checkpoints are written */
};

/* Called after each iteration. */
typedef int (*ezlda_progress_fn)(const ezlda_progress *progress, void *user);

/* A seed word of a topic: a word of the corpus, or text that the corpus's
 * rules turn into one ("Rivers": river; "New York": the phrase new_york). Frozen. */
typedef struct ezlda_seed {
    uint32_t topic;
    const char *word;
} ezlda_seed;

/* As a number of iterations: a run ends when the perplexity of documents that are held out for
 * checks has settled. It makes at least 200 iterations (1,000 if the corpus is small) and at most
 * 2,000 (300 if it is very large). A run that continues from a model makes 200. */
#define EZLDA_UNTIL_SETTLED UINT32_MAX

typedef struct ezlda_train_options {
    size_t size;

    /* -- Model: together with the corpus, these members decide the model to the last bit. -- */

    uint32_t topics;     /* K, 2 to 65,536 */
    uint32_t iterations; /* passes over all tokens; EZLDA_UNTIL_SETTLED, the default: see there */
    uint64_t seed;
    /* Priors of each topic in a document, and of each word in a topic. One that is given stays as
     * it is. 0: it is fitted, from a start that suits the lengths of the documents or from that of
     * `init`; with optimize_interval 0 it is 50/K, and 0.01. */
    double alpha;
    const double *alpha_vector; /* K values instead of alpha, or NULL */
    double beta;
    ezlda_estimator estimator;
    ezlda_start start;
    /* Fit the alpha of each topic, and beta, unless they are given (Minka's fixed point, on the
     * counts and on a sample of documents that is removed from them), every optimize_interval
     * iterations (10) after the first optimize_burn_in (20); interval 0: priors are fixed. With a
     * sample, fits become rarer as a run continues. symmetric_alpha: the fitted alpha is the same
     * for all topics. */
    uint32_t optimize_interval, optimize_burn_in;
    int symmetric_alpha;
    /* Seed words: n_seeds of them, or NULL. Each counts as seed_weight extra copies of its word's
     * tokens in its topic. */
    const ezlda_seed *seeds;
    size_t n_seeds;
    double seed_weight;
    /* Continue from a model, or NULL. `topics` must be the model's. If the model kept the topics of
     * its tokens and the corpus is its own, the run continues as if it had not stopped; otherwise
     * the documents' topics are inferred first. Iteration numbers continue from the model's. */
    const ezlda_model *init;
    /* Stop when further iterations are expected to gain less LLPT than this, judged at every score;
     * 0: never. */
    double converged_gain;
    /* p(word | topic) of the model is the mean over this many samples (5), ten iterations apart, at
     * the end of the run: one sample says less. They are in the second half of a run of at least
     * 100 iterations. Shorter runs, and values 0 and 1, use the last iteration only. */
    uint32_t word_samples;
    uint32_t eval_every; /* compute LLPT every N iterations and at the end; 0: at the end only.
                            Changes the model only if converged_gain is set. */

    /* -- Results and reports. -- */

    int keep_topics; /* keep the topic of every token in the model, 2 bytes per token */
    ezlda_progress_fn progress;
    void *user; /* for progress */

    /* -- Where the run takes place: the model does not depend on these. -- */

    /* "auto", "cuda", "cuda:N", "cuda:N,N,...", "cuda:all", "cpu", "reference"; NULL: "auto" */
    const char *device;
    /* Bytes of device memory to use; 0: what is free. A larger corpus passes through the device in
     * chunks. */
    uint64_t device_memory;
    /* The ranks that train together, or NULL. Rank 0 reports progress, writes checkpoints and gets
     * the model; the others get NULL. If one rank fails, the others keep waiting until it calls
     * ezlda_group_fail. */
    ezlda_group *group;
    /* CPU only: read the corpus from its file in chunks and keep the topics of its tokens (2 bytes
     * each) in an unnamed file in the folder `scratch` (NULL: the current folder), so that nothing
     * that grows with the corpus is in memory. Uses as many chunks as it takes to stay within
     * `memory` bytes; 0: half of what is free. */
    int out_of_core;
    uint64_t memory;
    const char *scratch;

    /* -- Checkpoints: the model does not depend on these either. -- */

    /* A folder for checkpoints, created if it is missing; NULL: none. A checkpoint is written every
     * checkpoint_seconds or checkpoint_iterations (both 0: every ten minutes) while the run
     * continues. The last two are kept. With `resume` the run continues from the newest valid
     * checkpoint, if there is one, and ends with the same bits as a run that was not interrupted.
     */
    const char *checkpoint;
    double checkpoint_seconds;
    uint32_t checkpoint_iterations;
    int resume;

    const ezlda_study *study; /* switches for study; NULL: defaults */
} ezlda_train_options;

#define ezlda_train_options_init(options) \
    ezlda_train_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_train_options_init_sized(ezlda_train_options *options, size_t size);

/* Trains a model. The model depends on the corpus and on the members under "Model" alone: any
 * device, number of threads, ranks and chunks gives the same bits. If the callback stops the run,
 * the model so far is returned with EZLDA_OK, and ezlda_model_info.stopped says why it ended. On
 * ranks other than 0 *out is NULL. */
EZLDA_API ezlda_status ezlda_train(ezlda_model **out, ezlda_context *context,
                                   const ezlda_corpus *corpus, const ezlda_train_options *options);

typedef struct ezlda_update_options {
    size_t size;
    /* Of each count of the model this share stays, above 0 and at most 1 (1). Rounded up or down at
     * random, by the seed, the number of the update and the word. */
    double decay;
    /* A word that the model does not have enters its vocabulary if at least this many of the new
     * documents have it (2). */
    uint32_t new_word_docs;
    /* Fit alpha to the new documents, and beta to all counts, from the model's on; 0: both stay. */
    int fit_priors;
    /* NULL: defaults, with 100 iterations. topics and estimator are the model's. init, seeds,
     * alpha, beta, out_of_core and group are refused. */
    const ezlda_train_options *train;
    /* The vocabulary has every word of the model and of the documents, also those without a token
     * that is left, and new_word_docs is ignored (0). */
    int all_words;
} ezlda_update_options;

#define ezlda_update_options_init(options) \
    ezlda_update_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_update_options_init_sized(ezlda_update_options *options, size_t size);

/* Adds new documents to a model. Their topics are sampled with W that has the model's counts
 * besides theirs; no earlier document is read again, and topics keep their numbers. The result has
 * the W and n of both, and the documents of the update alone: info.docs are these, info.tokens are
 * all. The vocabulary is that of the model, without words of which decay has left nothing, and the
 * new words. Text is best read with ezlda_model_reading_rules. The result depends on the model, the
 * corpus and the options that ezlda_train depends on, not on device or threads. A word with more
 * than 2^32 - 1 tokens is EZLDA_ERROR_UNSUPPORTED, and so are more tokens than 2^36. Checkpoints
 * and the callback work as in ezlda_train. options may be NULL. */
EZLDA_API ezlda_status ezlda_update(ezlda_model **out, ezlda_context *context,
                                    const ezlda_model *model, const ezlda_corpus *corpus,
                                    const ezlda_update_options *options);
/* Returns the model so far, while a run waits for its progress function: progress is the pointer
 * that the function was given, and not a copy. Its p(word | topic) is that of the last iteration
 * alone. The run continues as if there had been no snapshot. Takes the time and the memory that
 * the end of a run takes for its counts. context is for messages and threads, and may be another
 * one than that of the run. EZLDA_ERROR_UNSUPPORTED: the run is out of core or on several ranks. */
EZLDA_API ezlda_status ezlda_train_snapshot(ezlda_model **out, ezlda_context *context,
                                            const ezlda_progress *progress);

/* A check of a run: the score of documents that are held out for it. */
typedef struct ezlda_run_check {
    size_t size;        /* set before the call */
    uint32_t iteration; /* after which it was made */
    double perplexity;  /* of half of each of these documents, given the other half */
} ezlda_run_check;

/* The last check of a run that waits for its progress function (progress as in
 * ezlda_train_snapshot). Returns 1, or 0 if there is none: a run makes such checks if its number of
 * iterations is not given. Unstable. */
EZLDA_API int ezlda_train_last_check(const ezlda_progress *progress, ezlda_run_check *check);

/* What a run will take: the result of a short trial. */
typedef struct ezlda_plan {
    size_t size; /* set before the call */
    uint64_t docs, tokens;
    uint32_t words;
    char device[64];
    uint64_t host_bytes;           /* peak memory of the process */
    uint64_t host_available_bytes; /* what the machine could give before the trial */
    uint64_t device_bytes;         /* peak device memory; 0 on the CPU */
    uint32_t chunks;               /* chunks of the corpus, on a device or out of core; else 0 */
    double seconds_setup;     /* from the corpus to the first iteration, and after the last one */
    double seconds_iteration; /* mean over all iterations */
    double seconds_score;     /* time of one LLPT */
    double seconds_total;     /* from the corpus to the model */
    uint32_t tried; /* iterations of the trial; 0: not enough memory, figures are from a sample */
    uint64_t sample_tokens; /* tokens of the sample that showed how iterations get faster; 0: none
                               was needed */
    int several;            /* input: set it before the call if ezlda_plan_cluster follows */
    /* For ezlda_plan_cluster: */
    double seconds_repeated; /* part of an iteration: the work that every shard repeats */
    uint32_t topics,
        dense_words;        /* words with more tokens than topics: their rows of W are dense */
    uint64_t sparse_tokens; /* tokens of the other words */
    uint32_t iterations; /* iterations of the run; the most that it may make if their number is not
                            given */
} ezlda_plan;

/* Trains for about `seconds` (0: 10) and discards the result. The plan is for a run with the same
 * options on this machine. options->group must be NULL. */
EZLDA_API ezlda_status ezlda_train_plan(ezlda_plan *plan, ezlda_context *context,
                                        const ezlda_corpus *corpus,
                                        const ezlda_train_options *options, double seconds);

/* Makes a plan without a trial, for one GPU that samples tokens_per_second (0: as on an H200).
 * If corpus is NULL, docs, words and tokens are read from the plan, and word frequencies are
 * assumed to follow Zipf's law. Only seconds_iteration is filled in among the times. */
EZLDA_API ezlda_status ezlda_plan_untried(ezlda_plan *plan, ezlda_context *context,
                                          const ezlda_corpus *corpus,
                                          const ezlda_train_options *options,
                                          double tokens_per_second);

/* Machines that train one model together, one rank each. */
typedef struct ezlda_cluster {
    size_t size;
    uint32_t machines; /* 1 */
    uint32_t gpus;     /* per machine; 0: the CPUs train */
    const char *gpu;   /* kind of the GPUs, as ezlda_devices names it; NULL: an H200 */
    /* Nominal bytes per second in each direction; four fifths are assumed to reach the data. */
    double network;         /* between machines; required if there are several */
    double link;            /* between the GPUs of a machine; 0: what their kind is known for */
    uint64_t device_memory; /* memory of a GPU; 0: an H200's */
} ezlda_cluster;

#define ezlda_cluster_init(cluster) ezlda_cluster_init_sized((cluster), sizeof *(cluster))
EZLDA_API void ezlda_cluster_init_sized(ezlda_cluster *cluster, size_t size);

typedef struct ezlda_cluster_plan {
    size_t size;     /* set before the call */
    uint32_t shards; /* GPUs of all machines, or machines if their CPUs train */
    uint64_t shard_tokens;
    uint64_t host_bytes;      /* memory of each machine, at least */
    uint64_t device_bytes;    /* memory of each GPU; 0 on CPUs */
    uint32_t chunks;          /* in which a shard passes through its GPU; 0 on CPUs */
    double seconds_iteration; /* the sum of the next three */
    double seconds_work;      /* preparing, sampling, counting */
    double seconds_link;      /* sums over the GPUs of a machine */
    double seconds_network;   /* sums over the machines, through their hosts */
    double link, network;     /* bytes per second that were assumed */
} ezlda_cluster_plan;

/* What an iteration takes on a cluster, computed from the plan of one of its devices (made with
 * `several` set, or untried). Fails if no number of chunks fits a GPU, or if a shard would have
 * more tokens than it can count. Unstable. */
EZLDA_API ezlda_status ezlda_plan_cluster(ezlda_cluster_plan *out, ezlda_context *context,
                                          const ezlda_plan *one, const ezlda_cluster *cluster);

/* ==== models ==== */

/* Opens a model file. The file is mapped and checked; damage is EZLDA_ERROR_FORMAT. */
EZLDA_API ezlda_status ezlda_model_load(ezlda_model **out, ezlda_context *context,
                                        const char *path);
/* Writes a model file: under a temporary name, then renamed. After a failure an existing file is
 * unchanged. */
EZLDA_API ezlda_status ezlda_model_save(ezlda_context *context, const ezlda_model *model,
                                        const char *path);
EZLDA_API void ezlda_model_free(ezlda_model *model);

/* Makes a copy of a model with other words: as many as it has, all different. Intended for models
 * trained on matrices, whose words are only numbers. The copy still belongs to the corpus it was
 * trained on; their words are matched by number. */
EZLDA_API ezlda_status ezlda_model_with_words(ezlda_model **out, ezlda_context *context,
                                              const ezlda_model *model, const char *const *words,
                                              uint32_t n_words);

/* Makes a copy of a model with these edits instead of its own; NULL or "": none. They are lines of
 * text, each an operation, as in docs/training.md: rename, merge, hide, group, words. The model
 * file keeps them, and every call obeys them: merged topics have the sum of the counts, in the
 * topic named first, which must not be hidden; hidden ones are not in lists; an update keeps them.
 * A merge from before an update cannot be taken back. Wrong text is EZLDA_ERROR_ARGUMENT; the
 * message calls it `name` (NULL: "edits") and has the line. */
EZLDA_API ezlda_status ezlda_model_with_edits(ezlda_model **out, ezlda_context *context,
                                              const ezlda_model *model, const char *edits,
                                              const char *name);
/* The edits of a model, one operation per line; "" if there are none. */
EZLDA_API const char *ezlda_model_edits(const ezlda_model *model);
/* The name of a topic and the group that it is in; "" if it has none. */
EZLDA_API const char *ezlda_model_topic_name(const ezlda_model *model, uint32_t topic);
EZLDA_API const char *ezlda_model_topic_group(const ezlda_model *model, uint32_t topic);
/* Whether lists of topics do not have it: it was hidden, or merged into another one. */
EZLDA_API int ezlda_model_topic_hidden(const ezlda_model *model, uint32_t topic);
/* The topic that it was merged into; its own number if it was not. */
EZLDA_API uint32_t ezlda_model_topic_into(const ezlda_model *model, uint32_t topic);

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
    double skipped;       /* share of tokens decided early in the last iteration */
    double moved;         /* share of tokens whose topic changed in the last iteration */
    uint64_t topics_hash; /* over the topics of all tokens, in document order */
    uint64_t corpus_hash;
    char device[64];
    int threads;
    size_t llpt_count; /* scores kept, see ezlda_model_llpt */
    int has_topics;    /* whether the topic of every token is kept */
    /* These describe the run that made the model; 0 if it was loaded. */
    uint64_t device_memory_peak_bytes; /* on a GPU */
    double seconds_tokens;             /* from the corpus to the list of tokens */
    double seconds_setup;              /* from the tokens to a sorted list on the device */
    double seconds_open;               /* waiting for the device to open, between the two */
    uint32_t chunks;         /* chunks of the corpus, on a device or out of core; else 0 */
    uint32_t iterations_run; /* by this run, if it continued from a model */
    char stopped[192];       /* why the run ended early; "" if all iterations were done */
    double seconds_checks;   /* part of seconds_sampling: fits of the priors and held-out scores */
    uint32_t word_samples;   /* over which p(word | topic) is averaged; also in loaded models */
    ezlda_start start;       /* keyword or random; of the run that made the model */
    /* After ezlda_update, `docs` are those of the last update, and `tokens` are all that the
     * model counts. */
    uint32_t updates;         /* 0: none */
    uint64_t past_docs;       /* documents seen before the last update */
    uint64_t doc_tokens;      /* tokens of `docs` */
    uint32_t members;         /* of ezlda_consensus; 0: the model is no consensus */
    double members_threshold; /* least similarity at which a member has a topic */
} ezlda_model_info;

EZLDA_API void ezlda_model_get_info(const ezlda_model *model, ezlda_model_info *info);

/* Score number i: its iteration, the seconds of sampling before it, and its value. Returns 1, or 0
 * if i is past the end. */
EZLDA_API int ezlda_model_llpt(const ezlda_model *model, size_t i, uint32_t *iteration,
                               double *seconds, double *llpt);

/* A word, or a document's name, by number; NULL if the number is out of range. A name is "" if the
 * corpus had none. */
EZLDA_API const char *ezlda_model_word(const ezlda_model *model, uint32_t word);
EZLDA_API const char *ezlda_model_doc_name(const ezlda_model *model, uint64_t doc);
/* The rules by which text became the words of the training corpus, or NULL if it was read from a
 * bag of words. They belong to the model. */
EZLDA_API const ezlda_text_rules *ezlda_model_text_rules(const ezlda_model *model);
/* The rules of ezlda_model_text_rules or, if the model was not trained on text, rules suitable for
 * new text: no stop words, and case, digits and single letters are kept if the vocabulary contains
 * them. Never NULL. */
EZLDA_API const ezlda_text_rules *ezlda_model_reading_rules(const ezlda_model *model);
EZLDA_API const double *ezlda_model_alpha(const ezlda_model *model);          /* one per topic */
EZLDA_API const uint64_t *ezlda_model_topic_tokens(const ezlda_model *model); /* one per topic */
EZLDA_API uint64_t ezlda_model_word_tokens(const ezlda_model *model, uint32_t word);
EZLDA_API uint64_t ezlda_model_doc_tokens(const ezlda_model *model, uint64_t doc);

/* In how many members of ezlda_consensus each topic was found, one number per topic; NULL if the
 * model is no consensus. */
EZLDA_API const uint32_t *ezlda_model_found(const ezlda_model *model);

/* The non-zero counts of a word, or of a document, by topic, in the last iteration. Topics ascend.
 * Writes up to `capacity` entries and returns how many there are. */
EZLDA_API size_t ezlda_model_word_topics(const ezlda_model *model, uint32_t word, uint32_t *topic,
                                         uint32_t *count, size_t capacity);
EZLDA_API size_t ezlda_model_doc_topics(const ezlda_model *model, uint64_t doc, uint32_t *topic,
                                        uint32_t *count, size_t capacity);

/* sampled_topics: the counts of a word by topic, summed over the s samples that p(word | topic) is
 * a mean of (word_samples of the model's info). sampled_tokens: the sums of these counts over the
 * words, one per topic. p(word | topic) = (count + s * beta) / (sum + s * words * beta). */
EZLDA_API size_t ezlda_model_sampled_topics(const ezlda_model *model, uint32_t word,
                                            uint32_t *topic, uint32_t *count, size_t capacity);
EZLDA_API const uint64_t *ezlda_model_sampled_tokens(const ezlda_model *model);

/* The topics of a document's tokens, words ascending (the c tokens of a word follow each other), or
 * NULL if the model did not keep them. */
EZLDA_API const uint16_t *ezlda_model_token_topics(const ezlda_model *model, uint64_t doc);

typedef enum ezlda_word_order {
    EZLDA_BY_PROBABILITY = 0, /* p(word | topic) */
    EZLDA_BY_RELEVANCE = 1,   /* lambda*log p(word|topic) + (1-lambda)*log(p(word|topic)/p(word)) */
    EZLDA_BY_LIFT = 2         /* p(word | topic) / p(word) */
} ezlda_word_order;

/* A word or a document in an ordered list. Frozen. */
typedef struct ezlda_scored {
    uint64_t id;        /* number of the word or document */
    uint64_t count;     /* its tokens in the topic */
    double probability; /* p(word | topic), or p(topic | document) */
    double score;       /* the value that the list is ordered by */
} ezlda_scored;

/* Writes the first n words of a topic in the given order (ties: the smaller number), and to
 * *written how many there are: words without a token in the topic are not listed. lambda is used
 * with EZLDA_BY_RELEVANCE only. */
EZLDA_API ezlda_status ezlda_model_top_words(ezlda_scored *out, size_t n, size_t *written,
                                             ezlda_context *context, const ezlda_model *model,
                                             uint32_t topic, ezlda_word_order order, double lambda);

/* Writes the n documents with the largest share of a topic, (count + alpha) / (length + alpha sum),
 * and to *written how many there are: documents without a token in the topic are not listed. */
EZLDA_API ezlda_status ezlda_model_top_docs(ezlda_scored *out, size_t n, size_t *written,
                                            ezlda_context *context, const ezlda_model *model,
                                            uint32_t topic);

/* ==== new documents ==== */

/* Frozen. */
typedef struct ezlda_infer_progress {
    uint64_t docs, docs_done;
    double seconds; /* seconds of sampling */
} ezlda_infer_progress;

/* Called from time to time; any value but 0 stops. */
typedef int (*ezlda_infer_progress_fn)(const ezlda_infer_progress *progress, void *user);

typedef struct ezlda_infer_options {
    size_t size;
    uint32_t iterations; /* per document */
    uint32_t samples;    /* from the last iterations, averaged; 0: chosen, at most 10 */
    uint32_t thin;       /* iterations from one sample to the next; 0: chosen, at most 5 */
    uint64_t seed;
    const char *device;     /* as for training */
    uint64_t device_memory; /* as for training */
    uint64_t batch;         /* tokens that are sampled together; affects only memory; 0: chosen */
    ezlda_infer_progress_fn progress;
    void *user; /* for progress */
} ezlda_infer_options;

#define ezlda_infer_options_init(options) \
    ezlda_infer_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_infer_options_init_sized(ezlda_infer_options *options, size_t size);

/* The topics of one document. Its share of topic k is (count + alpha[k]) / (tokens + alpha sum).
 * Frozen. */
typedef struct ezlda_doc_row {
    uint64_t doc;          /* in the corpus */
    uint64_t tokens;       /* tokens of words that have tokens in the model; each has a topic */
    uint64_t unknown;      /* other tokens: they have no topic and do not change the shares */
    size_t n;              /* topics that have a token in the document */
    const uint32_t *topic; /* n, ascending */
    const double *count;   /* n: tokens in the topic, a mean over the samples */
} ezlda_doc_row;

/* Called once per document, in order; any value but 0 stops. The row is valid during the call. */
typedef int (*ezlda_doc_row_fn)(const ezlda_doc_row *row, void *user);

typedef struct ezlda_infer_info {
    size_t size;           /* set before the call */
    uint64_t docs, tokens; /* tokens: of words of the model's vocabulary */
    uint64_t docs_without; /* documents without a token that has a topic: they get the prior */
    uint64_t unknown_tokens;
    uint32_t unknown_words; /* words of the corpus that the model's vocabulary does not have */
    double llpt; /* log2 p(word | document) per token, after the last iteration, as in training */
    double seconds_sampling;
    uint64_t topics_hash; /* over the topics of all tokens after the last iteration, in document
                             order */
    char device[64];
    uint64_t unseen_tokens; /* tokens (part of `tokens`) whose word has no token in the model; they
                               have no topic, and beta alone gives them a probability */
} ezlda_infer_info;

/* Infers the topics of documents that the model has not seen; the model's counts stay fixed. Words
 * are matched by their text. `row` is called once per document, in order. The row of a document
 * depends on its words, the model, iterations, samples, thin and seed alone: not on its number or
 * on other documents. If no word of the corpus has a token in the model, all rows
 * are the prior, and a warning note is sent. info may be NULL; it is filled only if the call
 * succeeds. EZLDA_ERROR_STOPPED if a callback stops: rows before that are complete. */
EZLDA_API ezlda_status ezlda_infer(ezlda_infer_info *info, ezlda_context *context,
                                   const ezlda_model *model, const ezlda_corpus *corpus,
                                   const ezlda_infer_options *options, ezlda_doc_row_fn row,
                                   void *user);

typedef enum ezlda_doc_format {
    EZLDA_DOCS_TSV = 0,    /* a header, then number, name and the shares of all topics */
    EZLDA_DOCS_SPARSE = 1, /* a header, then one line per topic of a document, the largest share
                              first: number, name, topic, share */
    EZLDA_DOCS_NPY = 2,    /* NumPy's array file: float32, documents by topics */
    EZLDA_DOCS_MALLET = 3  /* as TSV without the header: MALLET's doc-topics */
} ezlda_doc_format;

/* Infers like ezlda_infer and writes the rows to a file, whole or not at all. top: topics per
 * document with EZLDA_DOCS_SPARSE; topics without a token in the document are not listed, so a
 * document without a token that the model knows has no line, nor has one whose topics are all
 * hidden. */
EZLDA_API ezlda_status ezlda_infer_to_file(ezlda_infer_info *info, ezlda_context *context,
                                           const ezlda_model *model, const ezlda_corpus *corpus,
                                           const ezlda_infer_options *options, const char *path,
                                           ezlda_doc_format format, uint32_t top);

/* Computes the shares of all topics (theta, one value per topic) from a row of ezlda_infer. */
EZLDA_API void ezlda_doc_row_shares(const ezlda_model *model, const ezlda_doc_row *row,
                                    double *theta);

/* Infers documents one by one: tables that depend only on the model are made once. */
typedef struct ezlda_inferencer ezlda_inferencer;

/* The number of a word that the model does not have. */
#define EZLDA_NO_WORD UINT32_MAX

/* Makes an inferencer on the CPU. It keeps the model, which must outlive it. options: as for
 * ezlda_infer, or NULL; device must be "auto" or "cpu", and device_memory, batch and progress at
 * their defaults, because they mean nothing for one document. It takes about as much memory as the
 * model's counts of words, and the time of ezlda_infer on one document. */
EZLDA_API ezlda_status ezlda_inferencer_create(ezlda_inferencer **out, ezlda_context *context,
                                               const ezlda_model *model,
                                               const ezlda_infer_options *options);
EZLDA_API void ezlda_inferencer_free(ezlda_inferencer *inferencer);

/* The number of a word in the model, or EZLDA_NO_WORD. If two words have the same text, the first
 * is found. Safe from several threads. */
EZLDA_API uint32_t ezlda_inferencer_word(const ezlda_inferencer *inferencer, const char *text);

/* Infers the topics of one document and passes its row to the callback, as document 0. The row and
 * the facts are those of ezlda_infer for a corpus of this document, to the last bit; only the hash
 * may differ if that corpus numbers words in another order than the model. words: the document's n
 * words by their numbers in the model, in any order and more than once; other numbers are unknown
 * words. counts: how often each occurs; NULL: once. A document without a known word gets a row
 * without topics. seconds_sampling is not measured. Several threads may use one inferencer at the
 * same time, each with a context of its own. info may be NULL. EZLDA_ERROR_STOPPED if the callback
 * returns another value than 0. */
EZLDA_API ezlda_status ezlda_inferencer_infer(ezlda_infer_info *info, ezlda_context *context,
                                              const ezlda_inferencer *inferencer,
                                              const uint32_t *words, const uint32_t *counts,
                                              size_t n, ezlda_doc_row_fn row, void *user);

/* ==== quality of a model ==== */

/* Measures; combine them with |. */
enum {
    EZLDA_MEASURE_LLPT = 1,
    EZLDA_MEASURE_COMPLETION = 2,    /* perplexity of half of each document given the other half */
    EZLDA_MEASURE_LEFT_TO_RIGHT = 4, /* perplexity of whole documents, left-to-right estimator */
    EZLDA_MEASURE_COHERENCE =
        8, /* coherence of the topics' first words, with diversity and exclusivity */
    EZLDA_MEASURE_ALL = 15
};

/* Frozen. */
typedef struct ezlda_eval_progress {
    unsigned measure; /* being computed */
    uint64_t docs, docs_done;
    double seconds; /* seconds of this measure */
} ezlda_eval_progress;

/* Called from time to time; any value but 0 stops. */
typedef int (*ezlda_eval_progress_fn)(const ezlda_eval_progress *progress, void *user);

typedef struct ezlda_eval_options {
    size_t size;
    unsigned measures;
    uint64_t seed;
    uint32_t iterations, samples, thin; /* LLPT and completion: as for ezlda_infer */
    uint32_t particles;                 /* left-to-right: particles per document */
    uint32_t resample;   /* left-to-right: earlier positions sampled again at each position, at
                            most; 0: none; UINT32_MAX: all */
    uint64_t docs;       /* left-to-right: a random sample of this many documents; 0: all */
    uint64_t doc_tokens; /* left-to-right: at most this many random tokens per document; 0: all */
    uint32_t words;      /* coherence: first words of each topic */
    uint32_t npmi_window, c_v_window; /* coherence: window in tokens; 0: whole documents, as for a
                                         corpus that did not keep its order */
    int whole_windows;      /* coherence: a word counts in every window that holds it; 0: windows
                               slide as in gensim */
    const char *device;     /* as for training */
    uint64_t device_memory; /* as for training */
    ezlda_eval_progress_fn progress;
    void *user; /* for progress */
} ezlda_eval_options;

#define ezlda_eval_options_init(options) ezlda_eval_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_eval_options_init_sized(ezlda_eval_options *options, size_t size);

/* Perplexity = exp(-log_likelihood / tokens), over tokens of words that the model's vocabulary has,
 * also if it has no token of them. Errors are standard errors over documents (delta method); NaN
 * for fewer than two documents. Frozen. */
typedef struct ezlda_perplexity {
    uint64_t docs, tokens;         /* scored; 0 if it was not measured, and the rest is NaN */
    double log_likelihood;         /* sum over these tokens, natural logarithm */
    double perplexity, error;      /* by the model */
    double unigram, unigram_error; /* by the training corpus's word frequencies, same tokens */
    double seconds;
} ezlda_perplexity;

typedef struct ezlda_scores_info {
    size_t size;         /* set before the call */
    unsigned measures;   /* that are complete; values of others are NaN or 0 */
    int stopped;         /* whether the callback stopped before all measures were complete */
    int training_corpus; /* whether the model was trained on this corpus: nothing was held out */
    uint64_t docs;
    /* Tokens of words in the model's vocabulary; other tokens, which are not scored. */
    uint64_t tokens, unknown_tokens;
    uint32_t words, unknown_words; /* words of the corpus, and those that the model does not know */
    double llpt;         /* log2 p(word | document) per token, topics inferred, model fixed */
    double llpt_trained; /* LLPT from the end of training; NaN unless training_corpus is set */
    double llpt_seconds;
    ezlda_perplexity completion, left_to_right;
    uint64_t left_to_right_docs; /* documents that could be scored; left_to_right.docs were drawn */
    uint64_t left_to_right_cut;  /* scored documents longer than doc_tokens */
    uint32_t topics, topic_words;     /* first words used of each topic */
    double u_mass, npmi, c_v;         /* coherence, means over topics */
    double diversity, exclusivity;    /* distinct share of all first words; mean over topics */
    uint32_t npmi_window, c_v_window; /* as used; 0: documents */
    uint32_t topics_without;          /* topics without a value of coherence */
    double coherence_seconds;
    char device[64];        /* device of LLPT and completion; "" if neither was measured */
    uint64_t unseen_tokens; /* tokens (part of `tokens`) whose word has no token in the model. They
                               are scored: beta gives them a probability. */
} ezlda_scores_info;

typedef struct ezlda_topic_scores {
    size_t size;                           /* set before the call */
    double u_mass, npmi, c_v, exclusivity; /* NaN if the topic has no value */
    uint32_t words;                        /* first words used */
    uint32_t missing;                      /* how many of these words the corpus does not have */
} ezlda_topic_scores;

typedef struct ezlda_scores ezlda_scores;

/* Scores a model on a corpus. Except for coherence, the corpus should hold documents that the model
 * was not trained on. Words are matched by their text; tokens of words outside the model's
 * vocabulary are ignored and counted. The score of a document does not depend on its number or on
 * other documents. The result depends on the model, the corpus and the options, but not on device
 * and device_memory. docs/quality.md has the definitions. If the callback stops after at least one
 * measure is complete, the call returns EZLDA_OK, and info.stopped and info.measures say what there
 * is. options may be NULL. */
EZLDA_API ezlda_status ezlda_evaluate(ezlda_scores **out, ezlda_context *context,
                                      const ezlda_model *model, const ezlda_corpus *corpus,
                                      const ezlda_eval_options *options);
EZLDA_API void ezlda_scores_get_info(const ezlda_scores *scores, ezlda_scores_info *info);
/* Returns 1, or 0 if the topic is out of range or coherence was not measured. */
EZLDA_API int ezlda_scores_topic(const ezlda_scores *scores, uint32_t topic,
                                 ezlda_topic_scores *out);
EZLDA_API void ezlda_scores_free(ezlda_scores *scores);

/* ==== errors, effects, trends ==== */

/* Frozen. */
typedef struct ezlda_sampling_progress {
    uint32_t steps, steps_done;
    double seconds;
} ezlda_sampling_progress;

/* Called after each step; any value but 0 stops. */
typedef int (*ezlda_sampling_progress_fn)(const ezlda_sampling_progress *progress, void *user);

/* A chain of draws from the posterior: a step draws p(word | topic), then the topic of every token
 * given the others of its document. It takes 2 bytes per token of the corpus, and 4 bytes (8 on the
 * corpus that the model was trained on) per word and topic. It runs on the CPU. */
typedef struct ezlda_sampling_options {
    size_t size;
    uint32_t samples; /* that are kept: 20, at least 2 */
    uint32_t thin;    /* steps from one to the next: 5 */
    uint32_t burn_in; /* steps before: 50 */
    uint64_t seed;
    ezlda_sampling_progress_fn progress;
    void *user; /* for progress */
} ezlda_sampling_options;

#define ezlda_sampling_options_init(options) \
    ezlda_sampling_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_sampling_options_init_sized(ezlda_sampling_options *options, size_t size);

/* The topics of documents in several samples of the posterior. */
typedef struct ezlda_samples ezlda_samples;

typedef struct ezlda_samples_info {
    size_t size; /* set before the call */
    uint64_t docs;
    uint32_t topics, samples;
    int training_corpus; /* whether the model was trained on this corpus */
    uint64_t bytes;      /* memory, and size in a model file */
} ezlda_samples_info;

/* Draws samples of the topics of a corpus' documents. If the model was trained on the corpus, the
 * chain starts at its topics, and the topics' words vary with them; otherwise the counts of the
 * model stay, and tokens of words without a token in the model are ignored. The result depends on
 * model, corpus and options alone. options may be NULL. EZLDA_ERROR_STOPPED if the callback stops.
 */
EZLDA_API ezlda_status ezlda_samples_draw(ezlda_samples **out, ezlda_context *context,
                                          const ezlda_model *model, const ezlda_corpus *corpus,
                                          const ezlda_sampling_options *options);
EZLDA_API void ezlda_samples_free(ezlda_samples *samples);
EZLDA_API void ezlda_samples_get_info(const ezlda_samples *samples, ezlda_samples_info *info);

/* The counts of a document by topic in one sample. Topics ascend. Writes up to `capacity` entries
 * and returns how many there are; 0 if sample or doc is out of range. */
EZLDA_API size_t ezlda_samples_doc_topics(const ezlda_samples *samples, uint32_t sample,
                                          uint64_t doc, uint32_t *topic, uint32_t *count,
                                          size_t capacity);
/* The posterior of the share of a topic in a document: its mean, and the interval that the share is
 * in with probability `level` (above 0 and below 1), half of the rest on either side. The outputs
 * may be NULL. */
EZLDA_API ezlda_status ezlda_samples_share(double *mean, double *low, double *high,
                                           ezlda_context *context, const ezlda_model *model,
                                           const ezlda_samples *samples, uint64_t doc,
                                           uint32_t topic, double level);

/* Makes a copy of a model that keeps samples of its training corpus, also in its file. */
EZLDA_API ezlda_status ezlda_model_with_samples(ezlda_model **out, ezlda_context *context,
                                                const ezlda_model *model,
                                                const ezlda_samples *samples);
/* The samples that a model keeps, or NULL. They belong to the model. */
EZLDA_API const ezlda_samples *ezlda_model_samples(const ezlda_model *model);

typedef struct ezlda_effect_options {
    size_t size;
    const char *formula;    /* "share ~ s(year) + party*region" */
    const uint32_t *topics; /* n_topics different ones; NULL: all that are not hidden */
    size_t n_topics;
    const char *words_field; /* a field whose values are compared by their words; NULL: none */
    const ezlda_sampling_options *sampling; /* NULL: defaults */
} ezlda_effect_options;

#define ezlda_effect_options_init(options) \
    ezlda_effect_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_effect_options_init_sized(ezlda_effect_options *options, size_t size);

typedef struct ezlda_effect_info {
    size_t size;            /* set before the call */
    uint64_t docs, missing; /* in the regression, and not: a field has no value */
    uint32_t columns;       /* coefficients of a topic, with the intercept */
    uint32_t topics, samples;
    uint32_t groups; /* of words_field */
    int training_corpus;
} ezlda_effect_info;

/* A coefficient, pooled over the samples. Frozen. */
typedef struct ezlda_coefficient {
    double estimate, error; /* NaN if the column depends on columns before it */
    double df, t, p;        /* of the test that it is 0 */
    double low, high;       /* interval of the level */
} ezlda_coefficient;

/* The expected share of a topic at a value of a field, or in a period. Frozen. */
typedef struct ezlda_share {
    double x;         /* the number, or the year; the number of a category or period */
    const char *text; /* the category or period; NULL for a number */
    uint64_t docs;    /* with this category, or in this period; 0 for a number */
    double share, error, low, high;
} ezlda_share;

/* A word that a group of documents uses more than the others within a topic. Frozen. */
typedef struct ezlda_group_word {
    uint32_t word;   /* in the model */
    double tokens;   /* of the group and the topic, a mean over samples */
    double log_odds; /* of the group, less those of all others (natural logarithm) */
    double error;
} ezlda_group_word;

/* Regressions of the shares of topics on fields of the documents. */
typedef struct ezlda_effect ezlda_effect;

/* Estimates how the shares of topics depend on fields. Terms are fields, s(FIELD) or s(FIELD, DF)
 * (a spline), factor(FIELD), products a:b, and a*b, which is a + b + a:b. A field is a number or a
 * date (as a year) if all its values are, and else a category, whose first value in order is the
 * reference. Documents without a value ("" or "NA") are not used. In each step of a chain the
 * coefficients are drawn given the shares and make the prior of the documents' topics;
 * docs/certainty.md has the formulas. EZLDA_ERROR_ARGUMENT for a wrong formula or field,
 * EZLDA_ERROR_STOPPED if the callback stops. The model must outlive the result. */
EZLDA_API ezlda_status ezlda_effect_estimate(ezlda_effect **out, ezlda_context *context,
                                             const ezlda_model *model, const ezlda_corpus *corpus,
                                             const ezlda_effect_options *options);
EZLDA_API void ezlda_effect_free(ezlda_effect *effect);
EZLDA_API void ezlda_effect_get_info(const ezlda_effect *effect, ezlda_effect_info *info);
/* Topic number i of the result, and the name of a column ("(intercept)", "party=left"). UINT32_MAX
 * and NULL past the end. */
EZLDA_API uint32_t ezlda_effect_topic(const ezlda_effect *effect, size_t i);
EZLDA_API const char *ezlda_effect_column(const ezlda_effect *effect, uint32_t column);
/* Field number i of the formula, or NULL past the end. */
EZLDA_API const char *ezlda_effect_field(const ezlda_effect *effect, uint32_t i);
/* Returns 1, or 0 if topic or column is out of range. level: of the interval, such as 0.9. */
EZLDA_API int ezlda_effect_coefficient(ezlda_coefficient *out, const ezlda_effect *effect,
                                       uint32_t topic, uint32_t column, double level);
/* Whether a term matters: the p-value of the test that all coefficients of term number `term` (from
 * 0) are 0, and the term's name; NULL past the end. */
EZLDA_API const char *ezlda_effect_term(const ezlda_effect *effect, uint32_t topic, uint32_t term,
                                        double *p);
/* The expected share at values of a field of the formula: at most n, at even distances for numbers,
 * else the categories. Other numbers are at their mean, other categories at their shares. */
EZLDA_API ezlda_status ezlda_effect_curve(ezlda_share *out, size_t n, size_t *written,
                                          ezlda_context *context, const ezlda_effect *effect,
                                          const char *field, uint32_t topic, double level);
/* Group number i of words_field, or NULL past the end; and the words that it uses more than the
 * others, by falling log odds / error. */
EZLDA_API const char *ezlda_effect_group(const ezlda_effect *effect, uint32_t i);
EZLDA_API ezlda_status ezlda_effect_words(ezlda_group_word *out, size_t n, size_t *written,
                                          ezlda_context *context, const ezlda_effect *effect,
                                          uint32_t topic, uint32_t group);
/* Draws the curves of a field with their intervals, one panel per topic. */
EZLDA_API ezlda_status ezlda_effect_write_svg(ezlda_context *context, const ezlda_effect *effect,
                                              const char *field, double level, const char *path);

typedef struct ezlda_trend_options {
    size_t size;
    const char *field; /* dates: years, or ISO 8601 with month and day */
    /* "day", "week", "month", "quarter", "year", "decade", "century"; NULL or "auto": the shortest
     * with at most 60 periods in which half of the documents are in periods of 30 or more */
    const char *step;
    const uint32_t *topics; /* n_topics different ones; NULL: all that are not hidden */
    size_t n_topics;
    const ezlda_sampling_options *sampling; /* NULL: defaults */
} ezlda_trend_options;

#define ezlda_trend_options_init(options) \
    ezlda_trend_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_trend_options_init_sized(ezlda_trend_options *options, size_t size);

typedef struct ezlda_trend_info {
    size_t size;            /* set before the call */
    uint64_t docs, missing; /* with a date, and without one */
    uint32_t periods, topics, samples;
    const char *step; /* that was used */
    int training_corpus;
} ezlda_trend_info;

/* Periods in which a topic has at least twice its usual share. Frozen. */
typedef struct ezlda_burst {
    uint32_t topic, first, last; /* periods */
    double weight;               /* logarithm of the odds for a burst; larger is more certain */
} ezlda_burst;

/* Shares and words of topics by period. */
typedef struct ezlda_trend ezlda_trend;

/* Estimates the shares of topics in each period of a date, as ezlda_effect_estimate with the
 * periods as categories, and finds bursts (Kleinberg's automaton of two states). The model must
 * outlive the result. */
EZLDA_API ezlda_status ezlda_trend_estimate(ezlda_trend **out, ezlda_context *context,
                                            const ezlda_model *model, const ezlda_corpus *corpus,
                                            const ezlda_trend_options *options);
EZLDA_API void ezlda_trend_free(ezlda_trend *trend);
EZLDA_API void ezlda_trend_get_info(const ezlda_trend *trend, ezlda_trend_info *info);
EZLDA_API uint32_t ezlda_trend_topic(const ezlda_trend *trend,
                                     size_t i); /* UINT32_MAX past the end */
/* The share of a topic in a period; NaN if the period has no document. Returns 1, or 0 if topic or
 * period is out of range. */
EZLDA_API int ezlda_trend_share(ezlda_share *out, const ezlda_trend *trend, uint32_t topic,
                                uint32_t period, double level);
/* Burst number i, by topic and then by time. Returns 1, or 0 past the end. */
EZLDA_API int ezlda_trend_burst(ezlda_burst *out, const ezlda_trend *trend, size_t i);
/* The words that a topic uses more in a period than in all others. */
EZLDA_API ezlda_status ezlda_trend_words(ezlda_group_word *out, size_t n, size_t *written,
                                         ezlda_context *context, const ezlda_trend *trend,
                                         uint32_t topic, uint32_t period);
/* Draws the shares by period with their intervals, one panel per topic. */
EZLDA_API ezlda_status ezlda_trend_write_svg(ezlda_context *context, const ezlda_trend *trend,
                                             double level, const char *path);

/* ==== two models ==== */

typedef struct ezlda_match_options {
    size_t size;
    double threshold; /* least similarity of a pair, 0 to 1 */
    uint32_t words;   /* first words of each topic that are compared; 0: none */
} ezlda_match_options;

#define ezlda_match_options_init(options) \
    ezlda_match_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_match_options_init_sized(ezlda_match_options *options, size_t size);

/* Two topics that were matched. Frozen. */
typedef struct ezlda_topic_pair {
    uint32_t a, b;         /* topics of the two models */
    uint32_t shared_words; /* among the first words of both */
    double jaccard;        /* shared words / words among the first of either */
    double similarity;     /* sum of sqrt(p(word | a) * p(word | b)); 1: identical topics */
} ezlda_topic_pair;

/* A topic without a partner, and the topic of the other model nearest to it, which may have one.
 * Frozen. */
typedef struct ezlda_lone_topic {
    uint32_t topic, nearest;
    double similarity;
} ezlda_lone_topic;

typedef struct ezlda_match_info {
    size_t size; /* set before the call */
    uint32_t topics_a, topics_b;
    uint32_t pairs, alone_a, alone_b;
    double
        mean_similarity; /* mean over the pairs, without pairs of two topics that have no token */
    uint32_t words_common, words_only_a, words_only_b;
    uint64_t tokens_only_a, tokens_only_b; /* tokens of the words that only one model has */
} ezlda_match_info;

typedef enum ezlda_match_side { EZLDA_OF_A = 0, EZLDA_OF_B = 1 } ezlda_match_side;

typedef struct ezlda_match ezlda_match;

/* Matches the topics of two models one to one so that the sum of the pairs' similarities is as
 * large as possible. Pairs below the threshold are dropped; with threshold 0 every topic of the
 * smaller model has a partner. Topics that edits hide are in no pair and not among those without a
 * partner. Words are matched by their text; models without a common word are
 * EZLDA_ERROR_ARGUMENT. options may be NULL. docs/quality.md has the definitions. */
EZLDA_API ezlda_status ezlda_model_match(ezlda_match **out, ezlda_context *context,
                                         const ezlda_model *a, const ezlda_model *b,
                                         const ezlda_match_options *options);
EZLDA_API void ezlda_match_free(ezlda_match *match);
EZLDA_API void ezlda_match_get_info(const ezlda_match *match, ezlda_match_info *info);
/* The pairs, by the topic of a: info.pairs of them. */
EZLDA_API const ezlda_topic_pair *ezlda_match_pairs(const ezlda_match *match);
/* The topics of one model without a partner, ascending: alone_a or alone_b of them. */
EZLDA_API const ezlda_lone_topic *ezlda_match_alone(const ezlda_match *match,
                                                    ezlda_match_side side);

/* How far the words of each topic have moved from a model to a later one that has the same topics
 * by number, such as its update: the Jensen-Shannon divergence of p(word | topic) without the
 * prior, in bits, 0 (the same words in the same shares) to 1 (no word in common); 0.5 if one of the
 * two has no token. Writes one value per topic of `before`, which must not have more topics than
 * `after`. Words are matched by their text. */
EZLDA_API ezlda_status ezlda_model_drift(double *change, ezlda_context *context,
                                         const ezlda_model *before, const ezlda_model *after);

/* ==== trees of topics ==== */

/* Topics merged two by two until one is left. Each merge is the one that loses least of the
 * likelihood of all words, given their topics (the Dirichlet-multinomial with the model's beta), as
 * the counts of merged topics add up. */
typedef struct ezlda_tree ezlda_tree;

enum { EZLDA_TREE_MOST_WORDS = 100 };

/* The number of no node. */
#define EZLDA_NO_NODE UINT32_MAX

typedef struct ezlda_tree_options {
    size_t size;
    uint32_t words; /* distinctive words kept for each node, at most EZLDA_TREE_MOST_WORDS (8) */
} ezlda_tree_options;

#define ezlda_tree_options_init(options) ezlda_tree_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_tree_options_init_sized(ezlda_tree_options *options, size_t size);

typedef struct ezlda_tree_node {
    size_t size;          /* set before the call */
    uint32_t left, right; /* the nodes that were merged; EZLDA_NO_NODE if the node is a topic */
    uint32_t parent;      /* EZLDA_NO_NODE: the root */
    uint32_t topic;       /* the smallest topic below the node, or the topic that it is */
    uint32_t topics;      /* topics below it; 1 if it is one */
    uint64_t tokens;
    double loss;       /* what the merge lost, in nats; 0 if the node is a topic */
    double total_loss; /* of all merges up to this one */
    const uint32_t
        *words; /* those that tell the node from its sibling, the best first: by count *
                   log(p(word | node) / p(word | parent)); of the root the most frequent */
    uint32_t n_words;
} ezlda_tree_node;

/* Makes the tree of a model. The tree keeps the model, which must outlive it. The result depends on
 * the model alone. options may be NULL. */
EZLDA_API ezlda_status ezlda_tree_make(ezlda_tree **out, ezlda_context *context,
                                       const ezlda_model *model, const ezlda_tree_options *options);
EZLDA_API void ezlda_tree_free(ezlda_tree *tree);

/* The number of nodes, 2 * topics - 1. Node k below the number of topics is topic k; the others
 * follow in the order of the merges, so that node i leaves 2 * topics - 1 - i topics. */
EZLDA_API uint32_t ezlda_tree_nodes(const ezlda_tree *tree);
/* Returns 1, or 0 past the end. */
EZLDA_API int ezlda_tree_get_node(const ezlda_tree *tree, uint32_t i, ezlda_tree_node *node);

/* Writes to cut, for each topic of the model, its number among the first `topics` bundles, and to
 * nodes, unless it is NULL, the node of each bundle. Bundles are numbered by their smallest
 * topics.
 */
EZLDA_API ezlda_status ezlda_tree_topics(uint32_t *cut, uint32_t *nodes, ezlda_context *context,
                                         const ezlda_tree *tree, uint32_t topics);

/* Makes the model with this number of topics, from 2 to that of the tree. The counts of words and
 * documents, alpha, and the topics of tokens are those of the merged topics; beta, words and
 * documents are the model's. It has no edits and no scores of the run. */
EZLDA_API ezlda_status ezlda_tree_cut(ezlda_model **out, ezlda_context *context,
                                      const ezlda_tree *tree, uint32_t topics);

/* ==== ensembles ==== */

typedef struct ezlda_consensus_options {
    size_t size;
    double threshold; /* least similarity at which a member has a topic, 0 to 1 (0.7) */
} ezlda_consensus_options;

#define ezlda_consensus_options_init(options) \
    ezlda_consensus_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_consensus_options_init_sized(ezlda_consensus_options *options, size_t size);

/* Makes one model of n models, its members: 2 to 1,000, trained on this corpus with the same number
 * of topics and other seeds, each with the topics of its tokens (keep_topics). The topics of all
 * members are matched one to one, first with the member that is most like the others, then with
 * the consensus. The words of its topics are the sums over the members; each token has the topic
 * that most members give it. It knows how many members have each topic (ezlda_model_found): those
 * whose topic is at least as similar to the consensus of the other members as the threshold says
 * (ezlda_topic_pair.similarity). Alpha and beta are means. The result does not depend on threads.
 * options may be NULL. */
EZLDA_API ezlda_status ezlda_consensus(ezlda_model **out, ezlda_context *context,
                                       const ezlda_corpus *corpus, const ezlda_model *const *models,
                                       size_t n, const ezlda_consensus_options *options);

/* Frozen. */
typedef struct ezlda_ensemble_progress {
    size_t number, members; /* of the member, from 1; of all */
    uint64_t seed;
    int found;                      /* the folder had the member */
    const ezlda_progress *training; /* NULL: the member is done */
} ezlda_ensemble_progress;

/* Any value but 0 stops. */
typedef int (*ezlda_ensemble_progress_fn)(const ezlda_ensemble_progress *progress, void *user);

typedef struct ezlda_ensemble_options {
    size_t size;
    uint32_t seeds;   /* members, with seeds from train->seed on; 2 to 1,000 (10) */
    double threshold; /* as in ezlda_consensus_options */
    /* How the members are trained. keep_topics and progress are ignored; init, seeds, checkpoint,
     * out_of_core and group are refused. */
    const ezlda_train_options *train;
    /* A folder for the members (seed1.ezm and so on), made if it is missing; NULL: they are not
     * kept. Members that it has are not trained again. One of another corpus or other options is
     * EZLDA_ERROR_ARGUMENT. */
    const char *folder;
    ezlda_ensemble_progress_fn progress;
    void *user; /* for progress */
} ezlda_ensemble_options;

#define ezlda_ensemble_options_init(options) \
    ezlda_ensemble_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_ensemble_options_init_sized(ezlda_ensemble_options *options, size_t size);

/* Trains the members and makes their consensus. If the callback stops, EZLDA_ERROR_STOPPED: members
 * that are finished stay in the folder. */
EZLDA_API ezlda_status ezlda_ensemble(ezlda_model **out, ezlda_context *context,
                                      const ezlda_corpus *corpus,
                                      const ezlda_ensemble_options *options);

/* ==== formats of other tools ==== */

typedef struct ezlda_export_options {
    size_t size;
    uint32_t words;             /* per topic; 0: 20 (mallet-keys, csv) or 30 (pyldavis-json) */
    const ezlda_corpus *corpus; /* the training corpus, or NULL: mallet-state requires it, gensim
                                   and csv write more with it */
    const char *corpus_name;    /* what messages call the corpus, such as its file; or NULL */
} ezlda_export_options;

#define ezlda_export_options_init(options) \
    ezlda_export_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_export_options_init_sized(ezlda_export_options *options, size_t size);

/* Writes a model for another tool; docs/exports.md describes the formats. mallet-state,
 * mallet-keys, mallet-doc-topics, pyldavis-json and npz are files, gensim and csv are folders; each
 * is written whole or not at all. mallet-state requires a model with the topics of its tokens
 * (keep_topics). options may be NULL. */
EZLDA_API ezlda_status ezlda_model_export(ezlda_context *context, const ezlda_model *model,
                                          const char *format, const char *path,
                                          const ezlda_export_options *options);

/* Reads a MALLET state (--output-state, gzipped or not) as a corpus and a model that keeps the
 * topics of its tokens, with the state's alpha and beta. The words of a document are put in
 * ascending order of their numbers. */
EZLDA_API ezlda_status ezlda_model_from_mallet_state(ezlda_model **model, ezlda_corpus **corpus,
                                                     ezlda_context *context, const char *path);

/* ==== how many topics ==== */

/* One model of a sweep. */
typedef struct ezlda_sweep_run {
    size_t size; /* set before the call */
    uint32_t topics;
    uint64_t seed;
    int done;                    /* 0: not run yet, and the rest is 0 or NaN */
    int found;                   /* done by an earlier sweep into this folder */
    uint32_t iterations;         /* done; fewer than requested if the run converged */
    double llpt;                 /* at the end of training */
    ezlda_perplexity completion; /* on the held-out documents */
    double u_mass, npmi, c_v;    /* coherence, on the whole corpus */
    double diversity, exclusivity;
    double similarity; /* mean similarity of its topics to those of each earlier seed; NaN for the
                          first */
    double seconds;    /* seconds of sampling, in training */
    double scoring_seconds;
    uint64_t topics_hash; /* topics hash of the model */
} ezlda_sweep_run;

/* One number of topics: means over the seeds that are done, NaN if none is. */
typedef struct ezlda_sweep_row {
    size_t size; /* set before the call */
    uint32_t topics;
    uint32_t runs; /* done */
    double perplexity;
    double spread; /* standard deviation over seeds; NaN for fewer than two */
    double error;  /* standard error over documents, and over seeds if there are two or more */
    double unigram, unigram_error;
    double u_mass, npmi, c_v, diversity, exclusivity, llpt;
    double stability; /* mean similarity of matched topics over all pairs of seeds; NaN for fewer
                         than two seeds */
    double seconds;   /* seconds of sampling, in one run */
    /* Perplexity less that of the best row, and less that of word frequencies (unigram): negative
     * is better. The errors are those of the difference, paired by document, and over seeds if
     * there are two or more. NaN if info.recommended is 0. */
    double to_best, to_best_error, to_unigram, to_unigram_error;
} ezlda_sweep_row;

typedef struct ezlda_sweep_info {
    size_t size;                      /* set before the call */
    size_t rows;                      /* numbers of topics, ascending */
    size_t runs, runs_done;           /* runs of all rows */
    size_t runs_found;                /* how many of these an earlier sweep has done */
    int stopped;                      /* whether the callback stopped; the same call resumes */
    uint64_t docs, tokens;            /* trained on */
    uint64_t held_docs, held_tokens;  /* held out */
    uint32_t npmi_window, c_v_window; /* windows of coherence, in tokens; 0: documents */
    /* Numbers of topics; 0 until all runs are done, or if there is nothing to compare. */
    uint32_t recommended;     /* the smallest whose to_best is at most to_best_error */
    uint32_t best_perplexity; /* the lowest mean */
    uint32_t best_npmi;       /* the highest mean */
    uint32_t best_stability;
    uint64_t held_unseen; /* tokens (part of held_tokens) whose word has no token in the documents
                             trained on. All held-out tokens are scored: the vocabulary is that of
                             the corpus. */
} ezlda_sweep_info;

typedef enum ezlda_sweep_stage {
    EZLDA_SWEEP_TRAINING = 0, /* after each iteration */
    EZLDA_SWEEP_SCORING = 1,  /* from time to time */
    EZLDA_SWEEP_DONE = 2      /* once per run, also for a run that was found */
} ezlda_sweep_stage;

/* Frozen. */
typedef struct ezlda_sweep_progress {
    ezlda_sweep_stage stage;
    size_t number, runs;                /* number of this run, from 1; number of all runs */
    const ezlda_sweep_run *run;         /* has its scores once it is done */
    const ezlda_progress *training;     /* in EZLDA_SWEEP_TRAINING, else NULL */
    const ezlda_eval_progress *scoring; /* in EZLDA_SWEEP_SCORING, else NULL */
} ezlda_sweep_progress;

/* Any value but 0 stops. */
typedef int (*ezlda_sweep_progress_fn)(const ezlda_sweep_progress *progress, void *user);

typedef struct ezlda_sweep_options {
    size_t size;
    const uint32_t *topics; /* n_topics different numbers */
    size_t n_topics;
    uint32_t seeds;   /* models per number of topics, with seeds from train->seed on */
    double held_out;  /* share of the documents that is not trained on */
    double alpha_sum; /* alpha of each topic is this / topics; 0: as in train */
    /* NULL: defaults. topics and progress are ignored; init, seeds, checkpoint and group are
     * refused; an alpha_vector requires a single number of topics. */
    const ezlda_train_options *train;
    const ezlda_eval_options *eval; /* NULL: defaults. measures and progress are ignored. */
    const char *folder;
    ezlda_sweep_progress_fn progress;
    void *user; /* for progress */
} ezlda_sweep_options;

#define ezlda_sweep_options_init(options) \
    ezlda_sweep_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_sweep_options_init_sized(ezlda_sweep_options *options, size_t size);

typedef struct ezlda_sweep_scores ezlda_sweep_scores;

/* Trains and scores a model for every number of topics and every seed. The folder (created if it is
 * missing) gets the models (k100-seed1.ezm and so on), their scores of documents, and results.tsv,
 * which is rewritten after each run. A call with the folder of an earlier sweep resumes it, and may
 * add numbers of topics and seeds. A folder of another corpus or other options is
 * EZLDA_ERROR_ARGUMENT. If the callback stops, only the run in progress is lost: the call returns
 * EZLDA_OK, and info.stopped is set. docs/quality.md has the definitions. */
EZLDA_API ezlda_status ezlda_sweep(ezlda_sweep_scores **out, ezlda_context *context,
                                   const ezlda_corpus *corpus, const ezlda_sweep_options *options);
EZLDA_API void ezlda_sweep_get_info(const ezlda_sweep_scores *scores, ezlda_sweep_info *info);
/* A row or a run by position (rows by topics, runs by topics and then by seed). Returns 1, or 0
 * past the end. */
EZLDA_API int ezlda_sweep_get_row(const ezlda_sweep_scores *scores, size_t i, ezlda_sweep_row *row);
EZLDA_API int ezlda_sweep_get_run(const ezlda_sweep_scores *scores, size_t i, ezlda_sweep_run *run);
EZLDA_API void ezlda_sweep_free(ezlda_sweep_scores *scores);

/* ==== the report ==== */

enum { EZLDA_REPORT_MOST_WORDS = 1000, EZLDA_REPORT_MOST_DOCS = 1000 };

typedef struct ezlda_report_options {
    size_t size;
    const char *title;       /* title of the page; NULL: "Topics" */
    const char *other_title; /* what the other model is called; NULL: "the other" */
    const char *created;     /* the date that the page shows; NULL: today */
    uint32_t words;          /* per topic, for any lambda; 0: 30, fewer if there are many topics */
    uint32_t docs;     /* first documents of each topic; 0: 10, fewer if there are many topics */
    const char *field; /* field of the corpus that is drawn by topic; NULL: all fields that are
                          dates or have few values */
    const char *corpus_name; /* what messages call the corpus, such as its file; or NULL */
    /* Step of time in which the page first shows curves over dates: "day", "week", "month",
     * "quarter", "year", "5-years", "decade"; "auto" or NULL: chosen by the number of documents. */
    const char *step;
} ezlda_report_options;

#define ezlda_report_options_init(options) \
    ezlda_report_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_report_options_init_sized(ezlda_report_options *options, size_t size);

typedef struct ezlda_report ezlda_report;

/* Computes what the report shows. corpus, or NULL, must be the corpus that the model was trained
 * on: it adds scores, fields and the words of documents. other, or NULL: a model whose topics are
 * matched with these. All three must live as long as the report. The same inputs give the same
 * report. options may be NULL. See docs/report.md. */
EZLDA_API ezlda_status ezlda_report_make(ezlda_report **out, ezlda_context *context,
                                         const ezlda_model *model, const ezlda_corpus *corpus,
                                         const ezlda_model *other,
                                         const ezlda_report_options *options);
EZLDA_API void ezlda_report_free(ezlda_report *report);

/* Writes one self-contained HTML file, whole or not at all. */
EZLDA_API ezlda_status ezlda_report_write(ezlda_context *context, const ezlda_report *report,
                                          const char *path);

/* Writes pictures into a folder, whole or not at all: map.svg, and topic-NUMBER.svg of every topic.
 * A folder of an earlier call is replaced. */
EZLDA_API ezlda_status ezlda_report_write_svg(ezlda_context *context, const ezlda_report *report,
                                              const char *folder);

/* Called once when connections are accepted, then from time to time; any value but 0 ends it. */
typedef int (*ezlda_serve_fn)(uint16_t port, void *user);

typedef struct ezlda_serve_options {
    size_t size;
    uint16_t port; /* port of the loopback interface; 0: any that is free */
    ezlda_serve_fn running;
    void *user; /* for running */
    /* The page is at http://127.0.0.1:PORT/TOKEN/, and nothing is elsewhere; NULL: at the root. 1
     * to 64 letters, digits, '-' and '_' (ezlda_serve_token). */
    const char *token;
    /* Search all documents, which needs the report's corpus. The index is kept in the file `index`,
     * which is made if it is not there, or belongs to another state of the corpus or the model;
     * NULL: in memory. */
    int search;
    const char *index;
} ezlda_serve_options;

#define ezlda_serve_options_init(options) \
    ezlda_serve_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_serve_options_init_sized(ezlda_serve_options *options, size_t size);

/* Shows the report to browsers on this machine (http://127.0.0.1:PORT/), with every document on
 * demand, until `running` ends it, which is not an error. Accepts GET and HEAD requests from this
 * machine only, and opens no file. Unstable. */
EZLDA_API ezlda_status ezlda_report_serve(ezlda_context *context, const ezlda_report *report,
                                          const ezlda_serve_options *options);

/* Writes a token that nobody can guess: 32 hexadecimal digits and a NUL. Unstable. */
EZLDA_API ezlda_status ezlda_serve_token(ezlda_context *context, char token[33]);

/* A page on this machine that shows a run while it trains: its progress, its scores and its topics
 * so far. A thread of its own serves it, so the run does not wait for browsers. Unstable. */
typedef struct ezlda_live ezlda_live;

typedef struct ezlda_live_options {
    size_t size;
    uint16_t port;     /* port of the loopback interface; 0: any that is free */
    const char *title; /* title of the page; NULL: "Topics" */
} ezlda_live_options;

#define ezlda_live_options_init(options) ezlda_live_options_init_sized((options), sizeof *(options))
EZLDA_API void ezlda_live_options_init_sized(ezlda_live_options *options, size_t size);

/* Opens the page; ezlda_live_close ends it. options may be NULL. */
EZLDA_API ezlda_status ezlda_live_open(ezlda_live **out, ezlda_context *context,
                                       const ezlda_live_options *options);
/* The address to open in a browser. It has a token, without which nothing is answered. */
EZLDA_API const char *ezlda_live_address(const ezlda_live *live);
/* Shows an iteration; to be called in the progress function of the run, with its argument. */
EZLDA_API ezlda_status ezlda_live_progress(ezlda_live *live, ezlda_context *context,
                                           const ezlda_progress *progress);
/* Whether it is time for a model of the topics so far (ezlda_train_snapshot): a page asks for it,
 * and models have taken at most about 1/50 of the time. Then one is expected. */
EZLDA_API int ezlda_live_wants_model(ezlda_live *live);
/* Shows the topics of a model that was made after this iteration; copies what it needs. */
EZLDA_API ezlda_status ezlda_live_model(ezlda_live *live, ezlda_context *context,
                                        const ezlda_model *model, uint32_t iteration);
/* Tells pages that the run has ended. */
EZLDA_API void ezlda_live_end(ezlda_live *live, ezlda_context *context);
/* Ends the page; after ezlda_live_end, waits up to 1.5 seconds for an open page to see it. live may
 * be NULL. */
EZLDA_API void ezlda_live_close(ezlda_live *live);

#ifdef __cplusplus
}
#endif
#endif
