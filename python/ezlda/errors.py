"""Exceptions and warnings. Each exception is an ezlda.Error and the built-in exception that fits it."""


class Error(Exception):
    """Any error of the library. Its text names the file and the line, if there are any, and what was expected."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory on the machine or on the device."""


class ArgumentError(Error, ValueError):
    """An option or an argument is outside its range."""


class FileError(Error, OSError):
    """A file could not be opened, read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file does not exist, or the folder that it should be written to."""


class FormatError(Error, ValueError):
    """The content of a file does not follow its format, or is damaged."""


class DeviceError(Error, RuntimeError):
    """A device is missing or failed."""


class UnsupportedError(Error, RuntimeError):
    """This build cannot do what was asked, though the request is valid."""


class StoppedError(Error, RuntimeError):
    """A callback asked to stop before there was anything to return."""


class InternalError(Error, RuntimeError):
    """A bug in ezLDA. Please report it."""


class InterruptWarning(UserWarning):
    """A run was interrupted. Its model is that of the iterations so far."""


class UnknownWordsWarning(UserWarning):
    """The model knows less than half of the tokens of the documents, or the corpus does not have some seed words."""


class FractionWarning(UserWarning):
    """Weights that are not whole numbers were rounded to counts."""
