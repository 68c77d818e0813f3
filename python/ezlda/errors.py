"""Exceptions: each is an ezlda.Error and the built-in exception that fits."""


class Error(Exception):
    """Any failure of the library; its text names the file, the line and what was expected."""


class OutOfMemoryError(Error, MemoryError):
    """Not enough memory, of the machine or of the device."""


class ArgumentError(Error, ValueError):
    """An option or argument out of its range."""


class FileError(Error, OSError):
    """A file could not be opened, read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """A file, or the folder that it should be written into, is not there."""


class FormatError(Error, ValueError):
    """A file's content is not what its format says, or is damaged."""


class DeviceError(Error, RuntimeError):
    """A device that was asked for is missing or failed."""


class UnsupportedError(Error, RuntimeError):
    """Valid, but this build cannot do it."""


class StoppedError(Error, RuntimeError):
    """A callback asked to stop before there was anything to return."""


class InternalError(Error, RuntimeError):
    """A bug of ours: please report it."""


class InterruptWarning(UserWarning):
    """A training was interrupted, and its model is that of the iterations so far."""


class UnknownWordsWarning(UserWarning):
    """The model knows less than half of the tokens of the documents."""


class FractionWarning(UserWarning):
    """Weights that are not whole numbers were rounded to counts."""
