# Notes, warnings, errors, callbacks and interrupts.

test_that("notes are messages that can be caught", {
  seen <- character()
  withCallingHandlers(ezlda(small_texts(), 2, 5), ezlda_note = function(note) {
    seen <<- c(seen, conditionMessage(note))
    invokeRestart("muffleMessage")
  })
  expect_true(any(grepl("^device: ", seen)))
})

test_that("wrong options are refused by name", {
  wrong <- function(code, text) expect_error(quietly(code), text, class = "ezlda_error_argument")
  corpus <- quiet_corpus(small_texts())
  wrong(ezlda(corpus), "k: expected a number of topics")
  wrong(ezlda(corpus, 1), "topics")
  wrong(ezlda(corpus, "two"), "topics: expected a whole number")
  wrong(ezlda(corpus, 2, 2.5), "iterations: expected a whole number from 0 to 4294967295, found 2.5")
  wrong(ezlda(corpus, 2, 5, seed = -1), "seed: expected a whole number")
  wrong(ezlda(corpus, 2, 5, seed = "1e3"), "seed: expected a whole number")
  wrong(ezlda(corpus, 2, 5, alpha = 0), "alpha: expected a number from 0.000001 to 100, found 0")
  wrong(ezlda(corpus, 2, 5, alpha = 1:3), "alpha: expected one number .* or one for each of 2 topics")
  wrong(ezlda(corpus, 2, 5, beta = "a"), "beta: expected a number")
  wrong(ezlda(corpus, 2, 5, estimator = "exact"), "estimator: expected one of \"leave-one-out\", \"esca\", found \"exact\"")
  wrong(ezlda(corpus, 2, 5, keep_topics = NA), "keep_topics: expected TRUE or FALSE")
  wrong(ezlda(corpus, 2, 5, fixed_priors = TRUE, symmetric_alpha = TRUE), "symmetric_alpha and fixed_priors exclude")
  wrong(ezlda(corpus, 2, 5, fixed_priors = "yes"), "fixed_priors: expected TRUE or FALSE")
  wrong(ezlda(corpus, 2, 5, init = 3), "init: expected a model")
  wrong(ezlda(corpus, 2, 5, threads = 5000), "threads: expected a whole number from 0 to 4096")
  wrong(ezlda(corpus, 2, 5, device = 1), "device: expected a string")
  wrong(ezlda(corpus, 2, 5, stopwords = "en"), "x is a corpus already")
  wrong(ezlda(small_texts(), 2, 5, sed = 3), "there is no option \"sed\"")
  wrong(ezlda(small_texts(), 2, 5, seeds = list("unheard")), "unheard")
})

test_that("a device that is missing is an error of devices", {
  devices <- ezlda_devices()
  skip_if(any(grepl("^cuda", devices$device[devices$usable])), "this machine has a GPU")
  expect_error(quietly(ezlda(small_texts(), 2, 5, device = "cuda")), class = "ezlda_error")
})

test_that("callbacks see every iteration, and end a run", {
  seen <- list()
  model <- quietly(ezlda(small_texts(), 2, 50, callback = function(p) {
    seen[[p$iteration]] <<- p
    p$iteration == 7
  }))
  expect_length(seen, 7)
  expect_named(seen[[1]], c("iteration", "iterations", "tokens", "seconds", "iteration_seconds", "skipped", "moved",
                            "llpt"))
  expect_equal(seen[[7]]$iterations, 50)
  expect_equal(model$info$iterations, 7)
  expect_equal(model$history$moved[3], seen[[3]]$moved)
  expect_match(model$info$stopped, "stopped")
})

test_that("progress is printed to the error output", {
  shown <- capture.output(model <- quietly(ezlda(small_texts(), 2, 5, progress = TRUE)), type = "message")
  expect_match(paste(shown, collapse = ""), "iteration 5 of 5, .* s, LLPT -")
  expect_length(capture.output(model <- quietly(ezlda(small_texts(), 2, 5)), type = "message"), 0)
  shown <- capture.output(shares <- predict(small_model(), quiet_corpus(small_texts()), progress = TRUE), type = "message")
  expect_match(paste(shown, collapse = ""), "60 of 60 documents")
})

test_that("the error of a callback is the error of the call", {
  expect_error(quietly(ezlda(small_texts(), 2, 50, callback = function(p) stop("no more of ", p$iteration))),
               "no more of 1")
  ran <- quietly(ezlda(small_texts(), 2, 5))
  expect_equal(ran$info$iterations, 5)
})

test_that("an interrupt keeps the model so far", {
  corpus <- quiet_corpus(small_texts())
  interrupt <- function(p) {
    if (p$iteration == 12) tools::pskill(Sys.getpid(), tools::SIGINT)
    for (i in 1:100) Sys.sleep(0.001) # R looks for interrupts while its code runs
    FALSE
  }
  expect_warning(model <- quietly(ezlda(corpus, 2, 200, callback = interrupt)), "interrupted: this is the model after",
                 class = "ezlda_interrupt")
  expect_lt(model$info$iterations, 200)
  expect_gte(model$info$iterations, 12)
  expect_equal(unname(rowSums(posterior(model)$topics)), rep(1, 60))
})

# Sends SIGINT to this process in a second. R puts "&" behind the command, hence the parentheses.
interrupt_soon <- function() system(sprintf("(sleep 1; kill -INT %d)", Sys.getpid()), wait = FALSE)

test_that("an interrupt from outside ends a run without a callback", {
  skip_on_os("windows")
  corpus <- synthetic_corpus(docs = 2000, words = 500, topics = 10)
  interrupt_soon()
  expect_warning(model <- quietly(ezlda(corpus, 10, 5000)), class = "ezlda_interrupt")
  expect_lt(model$info$iterations, 5000)
})

test_that("an interrupt of inference is an interrupt", {
  skip_on_os("windows")
  model <- small_model()
  corpus <- quiet_corpus(rep(small_texts(), 200))
  interrupt_soon()
  ended <- tryCatch({
    predict(model, corpus, iterations = 2000)
    "done"
  }, interrupt = function(condition) "interrupted")
  expect_equal(ended, "interrupted")
  expect_equal(dim(predict(model, "apple")), c(1, 2))
})

test_that("interrupted searches continue", {
  skip_on_os("windows")
  corpus <- synthetic_corpus(docs = 150, words = 60, topics = 3, mean_length = 40)
  folder <- tempfile()
  interrupt_soon()
  expect_warning(found <- quietly(search_k(corpus, c(2, 3), folder, iterations = 1e5)), "the same call",
                 class = "ezlda_interrupt")
  expect_false(all(found$runs$done))
  expect_equal(found$recommended, 0)
})

test_that("objects that are freed and failures leave nothing behind", {
  corpus <- quiet_corpus(small_texts())
  memory <- function() {
    gc()
    as.numeric(sub("^[0-9]+ ([0-9]+) .*", "\\1", readLines("/proc/self/statm", 1))) * 4096
  }
  skip_if_not(file.exists("/proc/self/statm"))
  round <- function() {
    for (i in 1:30) {
      model <- quietly(ezlda(corpus, 20, 2, threads = 1))
      try(quietly(ezlda(corpus, 2, 5, callback = function(p) stop("on purpose"))), silent = TRUE)
      try(read_model("nowhere.ezm"), silent = TRUE)
      posterior(model)
    }
    memory()
  }
  round()
  first <- round()
  expect_lt(round() - first, 8e6)
})
