# The package's manual page, its dynamic library, and what happens when it is unloaded.

#' Topic models (LDA) by ezLDA
#'
#' [ezlda()] trains a topic model on texts, matrices of counts or files. The same corpus, seed, priors and iterations
#' give the same model to the bit, here, in the command `ezlda` and in Python, with any number of threads.
#'
#' Topics are numbered from 1, as R counts. The command and Python number them from 0: topic 1 here is their topic 0.
#'
#' Notes of the library are messages, and warnings if something looks like a mistake. Its errors are conditions of class
#' `ezlda_error`, and of one of the classes `ezlda_error_memory`, `ezlda_error_argument`, `ezlda_error_io`,
#' `ezlda_error_format`, `ezlda_error_device`, `ezlda_error_unsupported`, `ezlda_error_stopped` and
#' `ezlda_error_internal`.
#'
#' Models and corpora live in the library. `saveRDS()` and workspaces do not keep them: use [write_model()] and
#' [write_corpus()].
#'
#' @name ezlda-package
#' @docType package
#' @keywords internal
#' @useDynLib ezlda, .registration = TRUE
#' @importFrom stats predict terms logLik setNames
#' @importFrom graphics plot barplot par text lines abline
#' @importFrom methods as is slot slotNames
#' @importFrom utils head browseURL
NULL

.onUnload <- function(libpath) {
  gc() # handles are freed by the routines of the library that is about to be unloaded
  library.dynam.unload("ezlda", libpath)
}
