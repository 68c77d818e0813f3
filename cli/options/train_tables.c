/* The option tables of training. Commands that train (train, sweep, plan) put together the ones
 * they have; train_settings.c checks the values. */
#include "options/train_settings.h"
#include "output/train_report.h"

const char *const train_estimators[] = {"leave-one-out", "esca", NULL};
const char *const train_samplers[] = {"many-branch", "three-branch", "two-branch", NULL};
const char *const train_w_formats[] = {"hybrid", "dense", "sparse", NULL};
static const char *const train_records[] = {"packed", "loose", NULL};
const char *const train_balances[] = {"split", "dynamic", "none", NULL};
const char *const train_starts[] = {"keyword", "random", "auto", NULL};

#define SETTING(field) .target = offsetof(train_settings, field)

/* ---- what decides the model ---- */

const cli_option train_topics_options[] = {{.name = "topics",
                                            .letter = 'k',
                                            .type = CLI_U32,
                                            .argument = "K",
                                            SETTING(train.topics),
                                            .least = 2,
                                            .most = 65536,
                                            .unset = "by the size of the corpus",
                                            .help = "number of topics, 2 to 65536"},
                                           {0}};

const cli_option train_output_options[] = {{.name = "output",
                                            .letter = 'o',
                                            .type = CLI_TEXT,
                                            .argument = "MODEL",
                                            SETTING(output),
                                            .unset = "the input's name and .ezm",
                                            .help = "model file to write; without -o no "
                                                    "existing file is overwritten"},
                                           {.name = "report",
                                            .type = CLI_TEXT,
                                            .argument = "FILE.html",
                                            SETTING(report),
                                            .help = "also write the page of 'ezlda report'"},
                                           {0}};

const cli_option train_model_options[] = {
    {.name = "iterations",
     .letter = 'i',
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.iterations),
     .least = 1,
     .most = UINT32_MAX - 1,
     .unset = "until converged",
     .help = "passes over all tokens. By default a run ends when the perplexity of documents that "
             "are held out for checks has settled, after 200 to 2000 passes, depending on the "
             "size of the corpus; with --init, after 200"},
    {.name = "seed",
     .type = CLI_U64,
     .argument = "N",
     SETTING(train.seed),
     .most = 1.8446744073709552e19,
     .help = "seed of the random numbers; the same seed gives the same model"},
    {.name = "alpha",
     .type = CLI_TEXT,
     .argument = "A|sum:S|FILE",
     SETTING(alpha),
     .unset = "fitted",
     .help = "prior of the topics in a document: A for every topic, sum:S for S/K each, or a file "
             "with K numbers; each from 0.000001 to 100; a given value is not fitted"},
    {.name = "beta",
     .type = CLI_POSITIVE,
     .argument = "B",
     SETTING(train.beta),
     .unset = "fitted",
     .help = "prior of the words in a topic, 0.000001 to 100; a given value is not fitted"},
    {.name = "estimator",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.estimator),
     .choices = train_estimators,
     .help = "leave-one-out removes a token's own topic from the counts of its document (better "
             "held-out scores); esca is the estimator of the ezLDA paper"},
    {.name = "start",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(train.start),
     .choices = train_starts,
     .help = "initial topics: keyword starts each document in the topics of its most "
             "characteristic words; random is the start of the paper; auto is random for "
             "corpora of at most half a million tokens if -i is not given, else keyword"},
    {.name = "until-converged",
     .type = CLI_POSITIVE,
     .argument = "GAIN",
     SETTING(converged),
     .unset = "off; held-out perplexity decides",
     .help = "stop before --iterations if further iterations would raise LLPT by less than "
             "GAIN (0.005 is a good value) and the share of tokens that change topic has settled; "
             "checked at every score (--eval-every)"},
    {.name = "word-samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.word_samples),
     .least = 1,
     .most = UINT32_MAX,
     .help = "average the words of topics over the last N samples, ten iterations apart, in the "
             "second half of a run of at least 100 iterations; 1: the last iteration alone"},
    {0}};

const cli_option train_prior_options[] = {
    {.name = "optimize-interval",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.optimize_interval),
     .most = UINT32_MAX,
     .help = "fit alpha of each topic, and beta, every N iterations, and less often as a run "
             "continues; 0: as --fixed-priors"},
    {.name = "optimize-burn-in",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.optimize_burn_in),
     .most = UINT32_MAX,
     .help = "do not fit priors in the first N iterations"},
    {.name = "symmetric-alpha",
     .type = CLI_FLAG,
     SETTING(train.symmetric_alpha),
     .help = "fit one alpha for all topics"},
    {.name = "fixed-priors",
     .type = CLI_FLAG,
     SETTING(fixed_priors),
     .help = "fit no priors: alpha is 50/K and beta 0.01, unless they are given"},
    {0}};

const cli_option train_seed_options[] = {
    {.name = "seeds",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(seeds),
     .help = "seed words, which topics start with and lean towards: one line per topic from topic "
             "0 on (an empty line: no words), or lines '7: words' for topic 7; words are separated "
             "by spaces or commas, phrases are in quotes, # starts a comment"},
    {.name = "seed-weight",
     .type = CLI_POSITIVE,
     .argument = "W",
     SETTING(train.seed_weight),
     .help = "strength of the seed words: each counts as if W times its tokens were added to the "
             "topic"},
    {0}};

const cli_option train_continue_options[] = {
    {.name = "init",
     .type = CLI_TEXT,
     .argument = "MODEL",
     SETTING(init),
     .help = "continue from this model. With the same corpus, and if the model was trained with "
             "--keep-topics, the run continues as if it had never stopped. With another or a grown "
             "corpus, it starts from the model's topics and includes new words and documents. "
             "The model's K, alpha and beta are used; the priors continue to be fitted unless "
             "--fixed-priors is given"},
    {0}};

/* ---- what the model keeps ---- */

const cli_option train_keep_options[] = {
    {.name = "keep-topics",
     .type = CLI_FLAG,
     SETTING(train.keep_topics),
     .help = "store the topic of every token in the model, 2 bytes per token"},
    {0}};

const cli_option train_sample_options[] = {
    {.name = "samples",
     .type = CLI_U32,
     .argument = "N",
     SETTING(samples),
     .least = 2,
     .most = 10000,
     .unset = "none",
     .help = "after the run, draw N samples of the documents' topics from the posterior and store "
             "them, for intervals (ezlda docs --interval); takes 50 + 5 N steps on the CPU"},
    {0}};

/* ---- what decides how long it takes ---- */

const cli_option train_speed_options[] = {
    {.name = "device",
     .type = CLI_NAME,
     .argument = "NAME",
     SETTING(train.device),
     .choices = cli_devices,
     .help = "where to train ('ezlda devices' lists the devices); auto uses a GPU if one is "
             "usable, else the CPU; reference is a slow, simple implementation that defines the "
             "correct result"},
    {.name = "device-memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(train.device_memory),
     .unset = "all that is free",
     .help = "limit of device memory, such as 500M or 6.2G; a corpus that needs more passes "
             "through the device in chunks"},
    {0}};

const char train_study_title[] =
    "For study (the model does not depend on these; the defaults are the fastest)";

const cli_option train_study_options[] = {
    {.name = "sampler",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(study.sampler),
     .choices = train_samplers,
     .help = "how tokens are decided early: many-branch by the intervals of the top topics, "
             "three-branch by the paper's skip, two-branch never"},
    {.name = "g",
     .letter = 'g',
     .type = CLI_INT,
     .argument = "N",
     SETTING(study.g),
     .least = 1,
     .most = 8,
     .unset = "chosen by measurement",
     .help = "number of top topics that are looked up to decide a token early, 1 to 8"},
    {.name = "w-format",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(study.w_format),
     .choices = train_w_formats,
     .help = "how counts of topics by word are stored: hybrid stores all K counts of a word with "
             "more than K tokens, and only the non-zero counts of other words"},
    {.name = "balance",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(study.balance),
     .choices = train_balances,
     .help = "how the thread blocks of a GPU share the words: split cuts frequent words into "
             "regions and gives the next task to a free block, dynamic does not cut, none assigns "
             "all words beforehand"},
    {.name = "region",
     .type = CLI_U32,
     .argument = "N",
     SETTING(study.region),
     .least = 32,
     .most = UINT32_MAX,
     .unset = "10000, fewer if a GPU has few tokens",
     .help = "tokens per region, with --balance split"},
    {.name = "records",
     .type = CLI_CHOICE,
     .argument = "NAME",
     SETTING(study.loose_records),
     .choices = train_records,
     .help = "how a GPU stores the records of words that early decisions read: packed into one "
             "cache line, or loose, each number in an array of its own"},
    {0}};

const cli_option train_memory_options[] = {
    {.name = "out-of-core",
     .type = CLI_FLAG,
     SETTING(train.out_of_core),
     .help = "train on a corpus that is larger than memory, on the CPU: documents are read from "
             "the corpus file in chunks, and the topics of the tokens are kept in a scratch file, "
             "2 bytes per token; the model is the same to the last bit. Use a corpus file made by "
             "import: other inputs are read into memory first"},
    {.name = "memory",
     .type = CLI_BYTES,
     .argument = "SIZE",
     SETTING(train.memory),
     .unset = "half of what is free",
     .help = "with --out-of-core: limit of memory, such as 500M or 6.2G; it decides the number of "
             "chunks"},
    {.name = "scratch",
     .type = CLI_TEXT,
     .argument = "FOLDER",
     SETTING(train.scratch),
     .unset = "the model's folder",
     .help = "with --out-of-core: folder for scratch files; they are unlinked and disappear when "
             "the program exits"},
    {0}};

/* ---- what is reported and saved on the way ---- */

const cli_option train_score_options[] = {
    {.name = "eval-every",
     .type = CLI_U32,
     .argument = "N",
     SETTING(train.eval_every),
     .most = UINT32_MAX,
     .help = "score (LLPT, log-likelihood per token) every N iterations and at the end; 0: at the "
             "end only. A score takes about as long as an iteration"},
    {0}};

const cli_option train_report_options[] = {
    {.name = "log",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(log),
     .help = "write one JSON object per iteration, each on a line; with --resume, append to the "
             "lines that are there"},
    {.name = "summary",
     .type = CLI_TEXT,
     .argument = "FILE",
     SETTING(summary),
     .help = "write one JSON object about the whole run"},
    {0}};

const cli_option train_live_options[] = {
    {.name = "live",
     .type = CLI_FLAG,
     SETTING(live),
     .help = "show the run in a browser while it trains: topics, scores, speed, time left; its "
             "address is printed, and only this machine can open it"},
    {.name = "live-port",
     .type = CLI_U32,
     .argument = "N",
     SETTING(live_port),
     .most = 65535,
     .unset = "any that is free",
     .help = "port of --live on the loopback interface"},
    {0}};

const cli_option train_checkpoint_options[] = {
    {.name = "checkpoint",
     .type = CLI_TEXT,
     .argument = "FOLDER",
     SETTING(train.checkpoint),
     .help = "write checkpoints into this folder during the run and keep the last two; a folder "
             "serves one run at a time"},
    {.name = "every",
     .type = CLI_TEXT,
     .argument = "TIME|Nit",
     SETTING(every),
     .unset = "10m",
     .help = "time between checkpoints: seconds, minutes or hours (30s, 10m, 2h), or iterations "
             "(50it)"},
    {.name = "resume",
     .type = CLI_FLAG,
     SETTING(train.resume),
     .help = "continue from the newest complete checkpoint in the folder, or start from scratch if "
             "there is none; the model is that of an uninterrupted run, on any device and with any "
             "number of threads"},
    {.name = "patience",
     .type = CLI_TEXT,
     .argument = "TIME",
     SETTING(patience),
     .unset = "as long as it takes",
     .help = "how long to keep trying if the finished model cannot be written (the disk is full, "
             "the folder is gone); 0s: try once"},
    {0}};
