# Calls into the library: contexts, notes, failures as conditions, interrupts, and checks of arguments.

status_names <- c("memory", "argument", "io", "format", "device", "unsupported", "stopped", "internal")

new_context <- function(threads = 0) {
  threads <- check_whole(threads, "threads", 0, 4096)
  .Call(r_context_new, as.integer(threads))
}

# Calls a routine with a context, passes on its notes, and raises its failure. `watch` is what watch_progress() made.
library_call <- function(routine, context, ..., watch = NULL) {
  invoke <- .Call # R's checks accept only the names of routines in calls of .Call itself
  value <- invoke(routine, context, ...)
  deliver_notes(context)
  if (!is.null(watch) && !is.null(watch$state$error)) stop(watch$state$error)
  if (inherits(value, "ezlda_failure")) {
    if (value$status == 7L) raise_interrupt()
    raise_failure(value$status, value$message)
  }
  value
}

deliver_notes <- function(context) {
  notes <- .Call(r_context_notes, context)
  for (i in seq_along(notes$text)) {
    if (notes$level[i] == 0L) {
      message(structure(class = c("ezlda_note", "message", "condition"),
                        list(message = paste0(notes$text[i], "\n"), call = NULL)))
    } else {
      warn(notes$text[i], "ezlda_warning")
    }
  }
}

raise_failure <- function(status, text) {
  kind <- paste0("ezlda_error_", status_names[status])
  stop(structure(class = c(kind, "ezlda_error", "error", "condition"), list(message = text, call = NULL)))
}

fail <- function(...) raise_failure(2L, paste0(...))

warn <- function(text, class) {
  warning(structure(class = c(class, "warning", "condition"), list(message = text, call = NULL)))
}

# Ends the call as Ctrl-C does: the user stopped it, and there is no partial result.
raise_interrupt <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort")
}

# A function of figures that the library calls, and what happened in it. `act` returns TRUE to stop. Conditions end in
# `state`: they must not leave the library by a jump.
watch_progress <- function(act) {
  state <- new.env(parent = emptyenv())
  state$interrupted <- FALSE
  call <- function(figures) {
    tryCatch(isTRUE(act(figures)),
             interrupt = function(condition) {
               state$interrupted <- TRUE
               TRUE
             },
             error = function(condition) {
               state$error <- condition
               TRUE
             })
  }
  list(call = if (is.null(act)) NULL else call, state = state)
}

# ---- arguments ----

check_whole <- function(value, name, least, most) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value != floor(value) || value < least ||
        value > most) {
    fail(name, ": expected a whole number from ", plain_number(least), " to ", plain_number(most), ", found ",
         found(value))
  }
  value
}

plain_number <- function(n) format(n, scientific = FALSE, trim = TRUE)

found <- function(value) {
  text <- paste(deparse(value, nlines = 1), collapse = "")
  if (nchar(text) > 60) paste0(substr(text, 1, 57), "...") else text
}

check_path <- function(path, name = "path") {
  if (!is.character(path) || length(path) != 1 || is.na(path)) {
    fail(name, ": expected one path, found ", found(path))
  }
  as_utf8(path.expand(path), name)
}

check_class <- function(value, class, name, maker) {
  if (!inherits(value, class)) fail(name, ": expected ", maker, ", found ", found_class(value))
  value
}

found_class <- function(value) paste0("an object of class ", paste0('"', class(value), '"', collapse = ", "))

# Strings in UTF-8. Strings without a mark that are valid UTF-8 are that, also if R runs in the C locale; others are in
# the encoding of the locale, if it has one.
as_utf8 <- function(x, what) {
  unmarked <- Encoding(x) == "unknown"
  valid <- validUTF8(x)
  Encoding(x[unmarked & valid]) <- "UTF-8"
  wrong <- which(unmarked & !valid & !locale_has_encoding())
  if (!length(wrong)) {
    x <- enc2utf8(x)
    wrong <- which(!validUTF8(x))
  }
  if (length(wrong)) fail(what, " ", wrong[1], ": expected text in UTF-8, found other bytes; see iconv()")
  x
}

# Whether the locale has an encoding other than UTF-8 and ASCII.
locale_has_encoding <- function() {
  !l10n_info()[["UTF-8"]] && !Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
}

# Values of a field as strings, "" for missing ones.
plain <- function(values, what = "value") {
  values <- as_utf8(as.character(values), what)
  values[is.na(values)] <- ""
  values
}

named_options <- function(options, what = "option") {
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) {
    fail("expected options with names, such as stopwords = \"en\"")
  }
  twice <- anyDuplicated(names(options))
  if (twice) fail(what, " ", names(options)[twice], " is given twice")
  strings <- vapply(options, is.character, NA)
  options[strings] <- Map(as_utf8, options[strings], names(options)[strings])
  options
}

no_nulls <- function(list) list[!vapply(list, is.null, NA)]
