"""Tests of the command that cannot pass on Windows under Wine, and why: a file, a test, or a test with its parameters. They are
skipped if EZLDA_TEST_WINDOWS is set (tests/release/test_windows.py)."""

FULL = "there is no /dev/full, and no limit on the size of files"
SIGNALS = "there are no SIGTERM and SIGHUP; Wine ends a process that gets them"
TERMINAL = "Wine draws a terminal with its own sequences"
PIPES = "there are no named pipes among the files of a folder"

NOT_ON_WINDOWS = {
    "test_bad_input::test_full_disk": FULL,
    "test_bad_input::test_standard_output_that_fails": "Wine reports a full device as an input/output error",
    "test_bad_input::test_standard_output_that_fails_early": "Wine reports a full device as an input/output error",
    "test_checkpoint::test_sigterm_writes_a_checkpoint_and_no_model": SIGNALS,
    "test_checkpoint::test_a_full_disk_does_not_end_the_run": FULL,
    "test_eval::test_an_interrupt_keeps_what_is_done": TERMINAL,
    "test_export::test_a_full_disk_leaves_nothing": FULL,
    "test_first_run::test_progress_has_colours_on_a_terminal_only": TERMINAL,
    "test_hostile_sizes::test_too_many_tokens_for_the_memory": "a limit on addresses keeps Wine from starting",
    "test_import_inputs::test_pipes_are_read_once": PIPES,
    "test_import_inputs::test_nothing_in_a_folder_is_lost_silently": PIPES,
    "test_import_pages::test_encodings[shift_jis-shift_jis]": "Wine has no ICU, which cuts Japanese into words",
    "test_out_of_core::test_a_scratch_folder_that_is_missing_or_full": FULL,
    "test_out_of_core::test_nothing_is_left_behind": "the test looks at descriptors in /proc",
    "test_out_of_core::test_a_corpus_that_changes_during_a_run": "the test replaces a file that is mapped, which Windows refuses",
    "test_outputs::test_rows_on_standard_output_are_all_there_is[/dev/fd/1]": "descriptors have no names but /dev/stdout and /dev/stderr",
    "test_outputs::test_impossible_names_are_refused_before_the_run": "Wine reports a loop of links as a missing file",
    "test_plan::test_memory_limits_of_control_groups": "there are no control groups",
    "test_report::test_a_title_that_is_not_utf8": "arguments are UTF-16",
    "test_report_serve::test_too_few_descriptors_for_all_clients": "there is no limit on descriptors",
    "test_train::test_interrupt_ends_after_the_iteration_and_writes_the_model[15]": SIGNALS,
    "test_train::test_interrupt_ends_after_the_iteration_and_writes_the_model[1]": SIGNALS,
    "test_train::test_a_terminal_that_closes_costs_no_model": SIGNALS,
    "test_train::test_nohup_stays": SIGNALS,
    "test_train::test_live_line_on_a_terminal": TERMINAL,
    "test_train::test_words_wrap_on_a_terminal": TERMINAL,
    "test_update::test_a_run_that_was_ended_resumes": SIGNALS,
}
