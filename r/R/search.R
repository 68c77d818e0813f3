# How many topics: models with several numbers of topics and seeds, scored and compared.

row_names <- c("topics", "runs", "perplexity", "spread", "error", "unigram", "u_mass", "npmi", "c_v", "diversity",
               "exclusivity", "llpt", "stability", "seconds", "to_best", "to_best_error", "to_unigram",
               "to_unigram_error")
run_names <- c("topics", "seed", "done", "found", "iterations", "llpt", "perplexity", "error", "u_mass", "npmi", "c_v",
               "diversity", "exclusivity", "similarity", "seconds")

#' Compare numbers of topics
#'
#' Trains and scores a model for every number of topics and every seed, as the command `ezlda sweep` does, and as
#' `searchK()` of the stm package does.
#'
#' Interrupt it to end it: the table has what is done, and the same call with the same folder continues.
#'
#' @param x A corpus, or anything that [ezlda_corpus()] accepts.
#' @param k Numbers of topics.
#' @param folder Where models and scores are written. With the folder of an earlier search of the same corpus and
#'   options, the search continues where that one ended.
#' @param ... Options of [ezlda()], such as `iterations`.
#' @param seeds Number of models for each number of topics. They use consecutive seeds.
#' @param held_out Share of the documents that is scored and not trained on.
#' @param alpha_sum Sum of the prior of the documents' topics, which then stays as it is; 0: as in [ezlda()].
#' @param evaluation Options of [evaluate_model()], as a list.
#' @param seed,device,fixed_priors,threads,progress As for [ezlda()].
#' @return An object of class `ezlda_search`: `rows`, a data frame with one row per number of topics (means over the
#'   seeds; `to_best` is the difference from the perplexity of the best row, `to_best_error` its standard error);
#'   `runs`, with one row per model; `recommended`, the smallest number of topics whose `to_best` is at most
#'   `to_best_error`; `best_perplexity`, `best_npmi`, `best_stability`; `folder`. `best_model()` reads a model of the
#'   search, without its corpus.
#' @examples
#' corpus <- synthetic_corpus(docs = 200, words = 100, topics = 4)
#' found <- search_k(corpus, c(2, 4, 8), iterations = 30)
#' found
#' best_model(found)
#' @export
search_k <- function(x, k, folder = tempfile("ezlda-search-"), ..., seeds = 1, held_out = 0.1, alpha_sum = 0,
                     evaluation = list(), seed = 1, device = "auto", fixed_priors = FALSE, threads = 0,
                     progress = NULL) {
  for (number in k) check_whole(number, "k", 2, 65536)
  options <- run_options(c(list(...), list(seed = seed, device = device)), fixed_priors)
  evaluation <- utils::modifyList(list(seed = seed, device = device), evaluation)
  corpus <- ezlda_corpus(x)
  watch <- search_watch(progress)
  found <- library_call(r_sweep, new_context(threads), corpus$handle, as.numeric(k), check_path(folder, "folder"),
                        list(seeds = seeds, held_out = held_out, alpha_sum = alpha_sum), options,
                        named_options(evaluation), watch$call, watch = watch)
  watch$done()
  rows <- as.data.frame(found$rows)
  names(rows) <- row_names
  runs <- as.data.frame(found$runs$runs)
  names(runs) <- run_names
  runs$done <- runs$done != 0
  runs$found <- runs$found != 0
  runs$topics_hash <- found$runs$hashes
  if (found$stopped) warn("interrupted: the same call with the same folder continues", "ezlda_interrupt")
  structure(c(list(rows = rows, runs = runs), found[c("recommended", "best_perplexity", "best_npmi", "best_stability")],
              list(folder = folder)), class = "ezlda_search")
}

search_watch <- function(progress) {
  if (is.null(progress)) progress <- interactive()
  shown <- FALSE
  act <- function(f) {
    shown <<- TRUE
    cat(sprintf("\rmodel %.0f of %.0f: %.0f topics, seed %.0f%s   ", f[1], f[2], f[3], f[4],
                if (f[6] > 0) sprintf(", iteration %.0f of at most %.0f", f[5], f[6]) else ""), file = stderr())
    FALSE
  }
  watch <- watch_progress(if (isTRUE(progress)) act)
  watch$done <- function() if (shown) cat("\n", file = stderr())
  watch
}

#' @rdname search_k
#' @param search A search.
#' @export
best_model <- function(search, k = search$recommended, seed = min(search$runs$seed)) {
  check_class(search, "ezlda_search", "search", "a search of search_k()")
  if (!any(search$runs$topics == k & search$runs$seed == seed & search$runs$done)) {
    fail("the search has no model with ", k, " topics and seed ", seed)
  }
  read_model(file.path(search$folder, sprintf("k%.0f-seed%.0f.ezm", k, seed)))
}

#' @export
print.ezlda_search <- function(x, ...) {
  shown <- c("topics", "runs", "perplexity", "error", "npmi", "diversity", "exclusivity", "stability", "to_best",
             "to_best_error")
  print(x$rows[shown], digits = 4, row.names = FALSE)
  cat(if (x$recommended) paste("recommended:", x$recommended, "topics\n") else "recommended: none\n")
  invisible(x)
}

#' @export
as.data.frame.ezlda_search <- function(x, ...) x$rows
