# Every kind of input gives the corpus that it holds.

same <- function(a, b) {
  expect_equal(a$info[c("docs", "words", "tokens", "pairs")], b$info[c("docs", "words", "tokens", "pairs")])
}

test_that("matrices of all kinds give one corpus", {
  counts <- small_counts()
  corpus <- quiet_corpus(counts)
  expect_equal(corpus$info$tokens, sum(counts))
  expect_equal(corpus_words(corpus), colnames(counts))
  expect_equal(corpus_field(corpus, "name"), rownames(counts))
  expect_equal(quiet_corpus(counts + 0)$info$hash, corpus$info$hash)
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(counts + 0, sparse = TRUE)
  expect_s4_class(sparse, "dgCMatrix")
  expect_equal(quiet_corpus(sparse)$info$hash, corpus$info$hash)
  expect_equal(quiet_corpus(as(sparse, "RsparseMatrix"))$info$hash, corpus$info$hash)
  expect_equal(quiet_corpus(as(sparse, "TsparseMatrix"))$info$hash, corpus$info$hash)
  expect_equal(as.matrix(corpus_counts(corpus)), counts + 0)
  expect_equal(quiet_corpus(as(sparse > 0, "CsparseMatrix"))$info$tokens, sum(counts > 0))
})

test_that("a dfm is a dgCMatrix with variables of documents", {
  skip_if_not_installed("Matrix")
  # quanteda's class, by its structure: dgCMatrix with docvars (its own variables end in "_") and meta.
  methods::setClass("dfm", contains = "dgCMatrix", slots = c(docvars = "data.frame", meta = "list"),
                    where = globalenv())
  on.exit(methods::removeClass("dfm", where = globalenv()))
  counts <- small_counts()
  sparse <- Matrix::Matrix(counts + 0, sparse = TRUE)
  names(dimnames(sparse)) <- c("docs", "features")
  n <- nrow(counts)
  dfm <- methods::new("dfm", sparse, meta = list(), docvars = data.frame(
    docname_ = rownames(counts), docid_ = factor(rownames(counts)), segid_ = 1L, year = rep_len(1990:1999, n),
    stringsAsFactors = FALSE))
  corpus <- quiet_corpus(dfm)
  expect_equal(corpus$info$hash, quiet_corpus(counts)$info$hash)
  expect_equal(corpus$info$fields, c("name", "year"))
  expect_equal(corpus_field(corpus, "year"), as.character(rep_len(1990:1999, n)))
  expect_equal(corpus_field(corpus, "name"), rownames(counts))
  model <- quietly(ezlda(dfm, 2, 20))
  expect_equal(rownames(posterior(model)$topics), rownames(counts))
  # Other features in another order are matched by name.
  shuffled <- dfm[1:5, rev(seq_len(ncol(dfm)))]
  expect_equal(predict(model, shuffled), predict(model, counts[1:5, ]), ignore_attr = TRUE)
})

test_that("tokens and corpora of quanteda are read by their structure", {
  words <- strsplit(small_texts(), " ")
  types <- c(fruits, metals)
  variables <- data.frame(docname_ = names(words), docid_ = factor(names(words)), segid_ = 1L,
                          year = rep_len(1990:1999, 60), stringsAsFactors = FALSE)
  numbers <- lapply(words, function(w) c(0L, match(w, types)))
  tokens <- structure(numbers, class = c("tokens", "list"), types = types, docvars = variables, meta = list())
  corpus <- ezlda_corpus(tokens)
  expect_equal(corpus$info[c("docs", "words", "tokens")], ezlda_corpus(words)$info[c("docs", "words", "tokens")])
  expect_equal(corpus$info$fields, c("name", "year"))
  expect_equal(predict(small_model(), tokens), predict(small_model(), words), ignore_attr = TRUE)
  texts <- structure(unname(small_texts()), class = c("corpus", "character"), docvars = variables, meta = list())
  corpus <- quiet_corpus(texts)
  expect_equal(corpus_field(corpus, "name"), names(words))
  expect_equal(corpus_field(corpus, "year")[3], "1992")
  same(corpus, quiet_corpus(small_texts()))
})

test_that("tm's and slam's matrices and corpora are read", {
  skip_if_not_installed("slam")
  counts <- small_counts()
  triplets <- slam::as.simple_triplet_matrix(counts)
  hash <- quiet_corpus(counts)$info$hash
  expect_equal(quiet_corpus(triplets)$info$hash, hash)
  skip_if_not_installed("tm")
  expect_equal(quiet_corpus(tm::as.DocumentTermMatrix(triplets, weighting = tm::weightTf))$info$hash, hash)
  expect_equal(quiet_corpus(tm::as.TermDocumentMatrix(t(triplets), weighting = tm::weightTf))$info$hash, hash)
  weights <- tm::weightTfIdf(tm::as.DocumentTermMatrix(triplets, weighting = tm::weightTf))
  expect_error(quiet_corpus(weights), "row [0-9]+: 0[.][0-9]+ is not a whole number; expected counts", class = "ezlda_error_argument")
  corpus <- tm::VCorpus(tm::VectorSource(unname(small_texts())))
  same(quiet_corpus(corpus), quiet_corpus(unname(small_texts())))
})

test_that("texts, frames and lists of words give one corpus", {
  texts <- small_texts()
  corpus <- quiet_corpus(texts, stopwords = "none")
  expect_equal(corpus_field(corpus, "name"), names(texts))
  frame <- data.frame(doc_id = names(texts), body = texts, year = 2000 + seq_along(texts), stringsAsFactors = FALSE)
  read <- quiet_corpus(frame, text = "body", fields = "year", stopwords = "none")
  expect_equal(read$info$hash, corpus$info$hash)
  expect_equal(corpus_field(read, "year")[2], "2002")
  expect_equal(corpus_field(read, "name"), names(texts))
  same(quiet_corpus(strsplit(texts, " ")), corpus)
  same(quiet_corpus(strsplit(texts, " "), min_docs = 2), corpus)
  same(quiet_corpus(texts, tokenizer = function(text) strsplit(text, " ")[[1]], stopwords = "none"), corpus)
})

test_that("missing documents keep their rows", {
  texts <- small_texts()
  texts[3] <- NA
  corpus <- quiet_corpus(texts)
  expect_equal(corpus$info$docs, length(texts))
  expect_equal(corpus$info$empty_docs, 1)
  words <- strsplit(small_texts(), " ")
  words[3] <- list(NULL)
  words[[4]] <- c(NA, "apple")
  corpus <- quiet_corpus(words)
  expect_equal(corpus$info$docs, length(words))
  expect_equal(corpus$info$empty_docs, 1)
  expect_equal(nrow(predict(small_model(), c("apple", NA, ""))), 3)
})

test_that("text in other encodings becomes UTF-8", {
  latin <- iconv(rep("f\u00fcr gr\u00f6\u00dfe", 3), "UTF-8", "latin1")
  expect_true("gr\u00f6\u00dfe" %in% corpus_words(quiet_corpus(latin, stopwords = "none")))
  unmarked <- rep("gr\u00f6\u00dfe \u03bb\u03cc\u03b3\u03bf\u03c2", 3)
  Encoding(unmarked) <- "unknown"
  expect_setequal(corpus_words(quiet_corpus(unmarked, stopwords = "none")), c("gr\u00f6\u00dfe", "\u03bb\u03cc\u03b3\u03bf\u03c2"))
  expect_error(quiet_corpus(c("good", "\xff\xfe bad")), "document 2: expected text in UTF-8", class = "ezlda_error")
})

test_that("files are recognised, and texts are not files", {
  path <- tempfile(fileext = ".txt")
  writeLines(small_texts(), path)
  expect_message(corpus <- ezlda_corpus(path), "reading 1 file")
  same(corpus, quiet_corpus(unname(small_texts())))
  same(quietly(quiet_corpus(path, input = "files")), corpus)
  expect_error(quietly(quiet_corpus("nowhere/missing.txt")), "nowhere/missing.txt", class = "ezlda_error_io")
  expect_equal(quiet_corpus(c("nowhere near", "missing words"))$info$docs, 2)
  expect_warning(one <- quiet_corpus("one text of words"), "a single document", class = "ezlda_warning")
  expect_equal(one$info$docs, 1)
  ezc <- tempfile(fileext = ".ezc")
  write_corpus(corpus, ezc)
  expect_equal(quietly(quiet_corpus(ezc))$info$hash, corpus$info$hash)
})

test_that("options of text do what they say", {
  texts <- small_texts()
  expect_false("apple" %in% corpus_words(quiet_corpus(texts, stopwords = c("apple", "pear"))))
  expect_false("apple" %in% corpus_words(quiet_corpus(texts, stopwords = list("apple"))))
  expect_true("the" %in% corpus_words(quiet_corpus(rep("the apple tree", 3), stopwords = NULL)))
  expect_false("the" %in% corpus_words(quiet_corpus(rep("the apple tree", 3), stopwords = "en")))
  expect_equal(quiet_corpus(texts, max_vocab = 5)$info$words, 5)
  expect_true("apples" %in% corpus_words(quiet_corpus(rep("apples and pears", 3), stopwords = "none")))
  expect_true(any(grepl("_", corpus_words(quiet_corpus(texts, ngrams = 2, stopwords = "none")))))
})

test_that("wrong input is refused with what was expected", {
  wrong <- function(code, text) expect_error(code, text, class = "ezlda_error_argument")
  counts <- small_counts()
  wrong(quiet_corpus(rbind(counts, -1)), "row 61: -1 is negative; expected a count")
  wrong(quiet_corpus(rbind(counts, NA)), "row 61: .* is NA; expected a count")
  wrong(quiet_corpus(counts / 2), "is not a whole number")
  wrong(quiet_corpus(counts, words = letters), "26 words for 12 columns")
  wrong(quiet_corpus(counts, words = rep("a", 12)), "\"a\" names two columns")
  wrong(quiet_corpus(counts, names = 1:3), "name: 3 values for 60 documents")
  wrong(quiet_corpus(counts, stopwords = "en"), "expected no options of text, found stopwords")
  wrong(quiet_corpus(small_texts(), stopword = "en"), "there is no option \"stopword\"; expected one of .* stopwords")
  wrong(quiet_corpus(small_texts(), min_docs = 1.5), "min_docs: expected a whole number")
  wrong(quiet_corpus(small_texts(), keep_case = 1), "keep_case: expected TRUE or FALSE, found 1")
  wrong(quiet_corpus(small_texts(), "en"), "expected options with names")
  wrong(quiet_corpus(data.frame(a = "x"), text = "b"), "no column \"b\"; it has \"a\"")
  wrong(quiet_corpus(data.frame(text = 1)), "expected texts")
  wrong(quiet_corpus(character()), "there are no documents")
  wrong(quiet_corpus(list(1:3)), "document 1: expected words as strings")
  wrong(quiet_corpus(mean), "x: expected texts")
  wrong(quiet_corpus(small_texts(), like = 3), "like: expected a model or a corpus")
  wrong(corpus_field(quiet_corpus(counts), "year"), "no field \"year\"; it has name")
  wrong(quiet_corpus(counts)[61], "expected numbers of documents from 1 to 60")
})

test_that("parts of a corpus have its words", {
  corpus <- quiet_corpus(small_counts())
  expect_equal(length(corpus[c(TRUE, rep(FALSE, 59))]), 1)
  expect_equal(corpus_field(corpus[c(5, 2)], "name"), c("d5", "d2"))
  expect_equal(corpus_words(corpus[2:3]), corpus_words(corpus))
  both <- split_corpus(corpus, 0.25, seed = 3)
  expect_equal(c(length(both$train), length(both$test)), c(45, 15))
  expect_equal(split_corpus(corpus, 0.25, seed = 3)$test$info$hash, both$test$info$hash)
})
