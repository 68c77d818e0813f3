# Small corpora, the command, and quiet calls that the tests share.

fruits <- c("apple", "pear", "plum", "cherry", "orchard", "juice")
metals <- c("iron", "steel", "copper", "zinc", "furnace", "alloy")

# Texts about fruits, about metals, and about both.
small_texts <- function(n = 60) {
  set.seed(7)
  texts <- vapply(seq_len(n), function(i) {
    words <- switch(i %% 3 + 1, fruits, metals, c(fruits, metals))
    paste(sample(words, 20, replace = TRUE), collapse = " ")
  }, "")
  setNames(texts, paste0("d", seq_len(n)))
}

quietly <- function(code) suppressMessages(code)

small_model <- function(...) quietly(ezlda(small_texts(), 2, 40, stopwords = "none", threads = 1, ...))
quiet_corpus <- function(...) quietly(ezlda_corpus(...))

# A matrix of counts with names, as text gives it.
small_counts <- function() {
  words <- strsplit(small_texts(), " ")
  vocabulary <- c(fruits, metals)
  counts <- t(vapply(words, function(w) as.integer(table(factor(w, vocabulary))), integer(length(vocabulary))))
  dimnames(counts) <- list(names(words), vocabulary)
  counts
}

# The command `ezlda` of the same build, which the environment variable EZLDA_BIN names.
command <- function() {
  path <- Sys.getenv("EZLDA_BIN")
  skip_if(path == "", "EZLDA_BIN does not name the command")
  path
}

# Runs the command and returns the hash of the model that it writes.
command_hash <- function(corpus, ...) {
  model <- tempfile(fileext = ".ezm")
  on.exit(unlink(model))
  output <- system2(command(), c("train", shQuote(corpus), "-o", shQuote(model), ...), stdout = TRUE, stderr = TRUE)
  expect_true(file.exists(model), info = paste(output, collapse = "\n"))
  facts <- system2(command(), c("info", shQuote(model)), stdout = TRUE, stderr = TRUE)
  line <- grep("^topics hash", facts, value = TRUE)
  sub(".* ", "", line)
}
