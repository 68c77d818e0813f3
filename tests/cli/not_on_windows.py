"""Tests of the command that cannot pass on Windows under Wine, and why: a file, a test, or a test with its parameters. They are
skipped if EZLDA_TEST_WINDOWS is set (tests/release/test_windows.py)."""

NOT_ON_WINDOWS = {
}
