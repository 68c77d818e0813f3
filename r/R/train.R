# Training runs and forecasts of runs, with progress, callbacks and interrupts.

progress_figures <- c("iteration", "iterations", "tokens", "seconds", "iteration_seconds", "skipped", "moved", "llpt")
fitting_options <- c("optimize_interval", "optimize_burn_in", "symmetric_alpha")

new_model <- function(handle, history = NULL, corpus = NULL, call = NULL) {
  if (is.null(history)) {
    history <- as.data.frame(.Call(r_model_history, handle))
    names(history) <- c("iteration", "seconds", "llpt")
  }
  structure(list(handle = handle, info = .Call(r_model_info, handle), history = history, corpus = corpus, call = call),
            class = "ezlda")
}

#' Train a topic model
#'
#' The result depends only on the corpus, `k`, `iterations`, `seed`, the priors, `estimator` and `start`. `device`,
#' `threads` and `sampler` change how long it takes. `ezlda train` with the same values gives the same model.
#'
#' Interrupt a run (Ctrl-C, or Esc in RStudio) to end it after the current iteration: the model so far is returned, with
#' a warning of class `ezlda_interrupt`.
#'
#' @param x A corpus of [ezlda_corpus()], or anything that it accepts: texts, paths, a data frame, a matrix of counts.
#' @param k Number of topics, 2 to 65,536. Default: that of `init`; required without `init`.
#' @param iterations Passes over all tokens. `NULL`: until the perplexity of documents that are held out for checks has
#'   settled, but at least 200 (small corpora: 1,000) and at most 2,000 (very large ones: 300); 200 more with `init`.
#' @param ... Options of [ezlda_corpus()], such as `stopwords`, if `x` is not a corpus.
#' @param seed The same seed gives the same model: a whole number, or a string of digits from 2^53 on.
#' @param alpha Prior of the documents' topics, 0.000001 to 100: one number, or one per topic. One that is given stays
#'   as it is. `NULL`: fitted to the corpus.
#' @param beta Prior of the topics' words, or `NULL`, as for `alpha`. (In the topicmodels package, `delta`.)
#' @param fixed_priors Whether to fit no prior. One that is not given is that of `init`, or else 50 / k and 0.01.
#' @param init A model to continue from.
#' @param seeds Words that topics start with and favour: a list of words for topics 1, 2, ..., or with the numbers of
#'   topics as names, as in `list("7" = c("violin", "concert"))`.
#' @param device `"auto"`, `"cpu"`, `"cuda"`, `"cuda:N"`, `"cuda:0,1"`, `"cuda:all"` or `"reference"`.
#' @param threads Number of threads; 0: one per processor, or `OMP_NUM_THREADS` if that is set.
#' @param progress Whether to print the progress of the run; `NULL`: in interactive sessions.
#' @param callback A function that is called with a list after each iteration: iteration, iterations, tokens, seconds,
#'   iteration_seconds, skipped, moved, llpt. The run ends if it returns `TRUE`.
#' @param keep_corpus Whether the model keeps the corpus, so that [coherence()], [augment()][tidiers] and [report()]
#'   find it.
#' @param estimator `"leave-one-out"` (default) or `"esca"`.
#' @param start `"auto"` (default), `"keyword"` or `"random"`: the topics that tokens start with.
#' @param word_samples Samples over which the words of topics are averaged (5).
#' @param eval_every Compute the log-likelihood every `eval_every` iterations; 0 (default): at the end.
#' @param keep_topics Whether the model keeps the topic of every token (`FALSE`).
#' @param optimize_interval,optimize_burn_in Fit the priors every `optimize_interval` iterations (10) after the first
#'   `optimize_burn_in` (20).
#' @param symmetric_alpha Whether the fitted alpha is the same for all topics (`FALSE`).
#' @param seed_weight Extra copies of its tokens that a seed word counts as.
#' @param converged_gain Stop if further iterations are expected to gain less log-likelihood per token; 0 (default):
#'   never.
#' @param device_memory Bytes of device memory to use; 0 (default): what is free.
#' @param checkpoint Folder for checkpoints; `NULL`: none.
#' @param checkpoint_seconds,checkpoint_iterations How often a checkpoint is written; both 0 (default): every ten
#'   minutes.
#' @param resume Whether to continue from the newest checkpoint (`FALSE`).
#' @param out_of_core,memory,scratch Read the corpus from its file in chunks, with `memory` bytes of memory (0: half of
#'   what is free), with the topics of its tokens in a file in the folder `scratch`.
#' @param sampler,g,w_format,balance,region,loose_records Switches for study; the model does not depend on them.
#' @return A model of class `ezlda`. `$info` has its facts, `$history` a data frame with one row per iteration, and
#'   `$corpus` the corpus.
#' @seealso [topics()], [terms()][terms.ezlda], [posterior()], [predict()][predict.ezlda], [coherence()],
#'   [find_thoughts()], [tidiers], [write_model()], [report()], [search_k()]
#' @examples
#' corpus <- synthetic_corpus(docs = 200, words = 100, topics = 4)
#' model <- ezlda(corpus, k = 4, iterations = 50)
#' model
#' terms(model, 5)
#' head(posterior(model)$topics)
#' @export
ezlda <- function(x, k = NULL, iterations = NULL, ..., seed = 1, alpha = NULL, beta = NULL, fixed_priors = FALSE,
                  init = NULL, seeds = NULL, device = "auto", threads = 0, progress = NULL, callback = NULL,
                  keep_corpus = TRUE, estimator = NULL, start = NULL, word_samples = NULL, eval_every = NULL,
                  keep_topics = NULL, optimize_interval = NULL, optimize_burn_in = NULL, symmetric_alpha = NULL,
                  seed_weight = NULL, converged_gain = NULL, device_memory = NULL, checkpoint = NULL,
                  checkpoint_seconds = NULL, checkpoint_iterations = NULL, resume = NULL, out_of_core = NULL,
                  memory = NULL, scratch = NULL, sampler = NULL, g = NULL, w_format = NULL, balance = NULL,
                  region = NULL, loose_records = NULL) {
  call <- match.call()
  options <- list(
    estimator = estimator, start = start, word_samples = word_samples, eval_every = eval_every,
    keep_topics = keep_topics, optimize_interval = optimize_interval, optimize_burn_in = optimize_burn_in,
    symmetric_alpha = symmetric_alpha, seed_weight = seed_weight, converged_gain = converged_gain,
    device_memory = device_memory, checkpoint = checkpoint, checkpoint_seconds = checkpoint_seconds,
    checkpoint_iterations = checkpoint_iterations, resume = resume, out_of_core = out_of_core, memory = memory,
    scratch = scratch, sampler = sampler, g = g, w_format = w_format, balance = balance, region = region,
    loose_records = loose_records, seed = seed, beta = beta, device = device, iterations = iterations)
  options <- run_options(options, fixed_priors)
  if (!is.null(init)) check_class(init, "ezlda", "init", "a model (read_model() opens a file)")
  if (is.null(k)) {
    if (is.null(init)) fail("k: expected a number of topics, or a model to continue from (init)")
    k <- init$info$topics
  }
  options$topics <- k
  if (length(alpha) == 1) options$alpha <- alpha
  vector <- if (length(alpha) > 1) check_alpha(alpha, k)
  context <- new_context(threads)
  library_call(r_open_device, context, device)
  corpus <- if (is.null(init)) ezlda_corpus(x, ..., threads = threads)
            else ezlda_corpus(x, ..., like = init, like_limits = TRUE, threads = threads)
  words <- seed_words(seeds, k)
  settles <- is.null(iterations) || isTRUE(converged_gain > 0)
  watch <- training_watch(progress, callback, settles)
  result <- library_call(r_train, context, corpus$handle, options, vector, words$topic, words$word,
                         if (!is.null(init)) init$handle, watch$call, if (is.null(callback)) 0.1 else 0,
                         watch = watch)
  watch$done()
  history <- as.data.frame(result$history)
  names(history) <- progress_figures
  model <- new_model(result$handle, history, if (keep_corpus) corpus, call)
  if (result$interrupted || watch$state$interrupted) {
    warn(paste0("interrupted: this is the model after ", model$info$iterations, " iterations"), "ezlda_interrupt")
  }
  model
}

# Options of a run as the library expects them.
run_options <- function(options, fixed_priors) {
  if (!is.logical(fixed_priors) || length(fixed_priors) != 1 || is.na(fixed_priors)) {
    fail("fixed_priors: expected TRUE or FALSE, found ", found(fixed_priors))
  }
  given <- fitting_options[!vapply(options[fitting_options], is.null, NA)]
  if (fixed_priors && length(given)) fail(given[1], " and fixed_priors exclude each other")
  if (fixed_priors) options$optimize_interval <- 0
  for (path in c("checkpoint", "scratch")) {
    if (!is.null(options[[path]])) options[[path]] <- check_path(options[[path]], path)
  }
  if (!is.character(options$device) || length(options$device) != 1) {
    fail("device: expected a string such as \"auto\", \"cpu\" or \"cuda:0\", found ", found(options$device))
  }
  named_options(no_nulls(options))
}

check_alpha <- function(alpha, k) {
  if (!is.numeric(alpha) || length(alpha) != k || anyNA(alpha) || any(alpha < 1e-6 | alpha > 100)) {
    fail("alpha: expected one number from 0.000001 to 100, or one for each of ", k, " topics, found ", found(alpha))
  }
  as.numeric(alpha)
}

# Seeds as pairs of topic and word.
seed_words <- function(seeds, k) {
  if (is.null(seeds)) return(list(topic = integer(), word = character()))
  if (!is.list(seeds)) fail("seeds: expected a list of words for each topic, found ", found(seeds))
  numbers <- seq_along(seeds)
  if (!is.null(names(seeds))) numbers <- suppressWarnings(as.numeric(names(seeds)))
  wrong <- which(is.na(numbers) | numbers != floor(numbers) | numbers < 1 | numbers > k)
  if (length(wrong)) {
    fail("seeds: expected numbers of topics from 1 to ", k, " as names, found \"",
         if (is.null(names(seeds))) wrong[1] else names(seeds)[wrong[1]], "\"")
  }
  for (i in seq_along(seeds)) {
    if (!is.null(seeds[[i]]) && !is.character(seeds[[i]])) {
      fail("seeds of topic ", numbers[i], ": expected words, found ", found(seeds[[i]]))
    }
  }
  words <- as_utf8(as.character(unlist(seeds, use.names = FALSE)), "seed word")
  list(topic = rep.int(as.integer(numbers), lengths(seeds)), word = words)
}

# What the library calls after iterations: shows the progress, and calls the user's function.
training_watch <- function(progress, callback, settles) {
  if (is.null(progress)) progress <- interactive()
  if (!is.null(callback)) callback <- match.fun(callback)
  shown <- FALSE
  last <- -Inf
  show <- function(f) {
    now <- proc.time()[["elapsed"]]
    if (now - last < 0.1 && f$iteration < f$iterations) return()
    last <<- now
    shown <<- TRUE
    of <- if (settles) " of at most " else " of "
    cat(sprintf("\riteration %d%s%d, %.1f s%s   ", f$iteration, of, f$iterations, f$seconds,
                if (is.nan(f$llpt)) "" else sprintf(", LLPT %.4f", f$llpt)), file = stderr())
  }
  act <- function(figures) {
    f <- setNames(as.list(figures), progress_figures)
    if (isTRUE(progress)) show(f)
    !is.null(callback) && isTRUE(as.logical(callback(f))[1])
  }
  watch <- watch_progress(if (isTRUE(progress) || !is.null(callback)) act)
  watch$done <- function() if (shown) cat("\n", file = stderr())
  watch
}

#' Forecast a run
#'
#' Tries a run for some seconds and computes what the whole run will take.
#'
#' @param x A corpus, or anything that [ezlda_corpus()] accepts.
#' @param k,iterations,seed,alpha,beta,fixed_priors,device,threads As for [ezlda()].
#' @param seconds Length of the trial.
#' @param ... More options of a run, by name.
#' @return A list: docs, tokens, words, device, host_bytes, host_available_bytes, device_bytes, chunks, iterations,
#'   seconds_setup, seconds_iteration, seconds_score, seconds_total, tried, sample_tokens.
#' @examples
#' corpus <- synthetic_corpus(docs = 200, words = 100, topics = 4)
#' plan_run(corpus, 10, 100, seconds = 0.1)$host_bytes
#' @export
plan_run <- function(x, k, iterations = NULL, ..., seconds = 10, seed = 1, alpha = NULL, beta = NULL,
                     fixed_priors = FALSE, device = "auto", threads = 0) {
  options <- c(list(...), list(iterations = iterations, seed = seed, alpha = alpha, beta = beta, device = device))
  options <- run_options(options, fixed_priors)
  options$topics <- k
  corpus <- ezlda_corpus(x)
  library_call(r_plan, new_context(threads), corpus$handle, options, seconds)
}

#' List the devices that can train
#'
#' @return A data frame with one row per device: device (as [ezlda()] expects it), name, usable, chosen (by `"auto"`),
#'   kernels, processors, memory_bytes and the reason why it cannot be used. The attribute `"why"` explains the choice.
#' @examples
#' ezlda_devices()
#' @export
ezlda_devices <- function() {
  found <- library_call(r_devices, new_context())
  devices <- do.call(rbind, lapply(found$devices, as.data.frame, stringsAsFactors = FALSE))
  structure(devices, why = found$why)
}

#' The version of the library
#'
#' @return A string.
#' @examples
#' ezlda_version()
#' @export
ezlda_version <- function() .Call(r_version)
