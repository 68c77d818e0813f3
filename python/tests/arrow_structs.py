"""Arrow's C structs made by hand with ctypes, for tables that no library would make."""
import ctypes
import struct
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


RELEASE_SCHEMA, RELEASE_ARRAY = CFUNCTYPE(None, POINTER(Schema)), CFUNCTYPE(None, POINTER(Array))
RELEASE_STREAM = CFUNCTYPE(None, POINTER(Stream))
GET_SCHEMA, GET_NEXT = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema)), CFUNCTYPE(c_int, POINTER(Stream),
                                                                                   POINTER(Array))
LAST_ERROR = CFUNCTYPE(c_void_p, POINTER(Stream))

Schema._fields_ = [("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p), ("flags", c_int64),
                   ("n_children", c_int64), ("children", POINTER(POINTER(Schema))), ("dictionary", POINTER(Schema)),
                   ("release", RELEASE_SCHEMA), ("private_data", c_void_p)]
Array._fields_ = [("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
                  ("n_children", c_int64), ("buffers", POINTER(c_void_p)), ("children", POINTER(POINTER(Array))),
                  ("dictionary", POINTER(Array)), ("release", RELEASE_ARRAY), ("private_data", c_void_p)]
Stream._fields_ = [("get_schema", GET_SCHEMA), ("get_next", GET_NEXT), ("get_last_error", LAST_ERROR),
                   ("release", RELEASE_STREAM), ("private_data", c_void_p)]

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [c_void_p, c_char_p, c_void_p]

kept = []  # what the structs point to


def keep(thing):
    kept.append(thing)
    return thing


def release_schema(schema):
    schema.contents.release = RELEASE_SCHEMA()


def release_array(array):
    array.contents.release = RELEASE_ARRAY()


def release_stream(stream):
    stream.contents.release = RELEASE_STREAM()


SCHEMA_RELEASE, ARRAY_RELEASE, STREAM_RELEASE = (keep(RELEASE_SCHEMA(release_schema)), keep(
    RELEASE_ARRAY(release_array)), keep(RELEASE_STREAM(release_stream)))


def pointers(kind, things):
    return ctypes.cast(keep((POINTER(kind) * max(len(things), 1))(*(ctypes.pointer(t) for t in things))),
                       POINTER(POINTER(kind)))


def schema(format, name=b"text", children=(), dictionary=None):
    made = keep(Schema(format=format, name=name, n_children=len(children), release=SCHEMA_RELEASE))
    made.children = pointers(Schema, children)
    if dictionary is not None:
        made.dictionary = ctypes.pointer(dictionary)
    return made


def array(length, buffers, children=(), dictionary=None, offset=0, nulls=0):
    """Buffers are bytes, or None."""
    held = [None if b is None else ctypes.cast(keep(ctypes.create_string_buffer(b, max(len(b), 1))), c_void_p).value
            for b in buffers]
    made = keep(Array(length=length, null_count=nulls, offset=offset, n_buffers=len(buffers),
                      n_children=len(children), release=ARRAY_RELEASE))
    made.buffers = ctypes.cast(keep((c_void_p * max(len(held), 1))(*held)), POINTER(c_void_p))
    made.children = pointers(Array, children)
    if dictionary is not None:
        made.dictionary = ctypes.pointer(dictionary)
    return made


class OneArray:
    """An object with __arrow_c_array__."""

    def __init__(self, schema, array):
        self.schema, self.array = schema, array

    def __arrow_c_array__(self, requested_schema=None):
        return (new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
                new_capsule(ctypes.addressof(self.array), b"arrow_array", None))


class Failing:
    """An object with __arrow_c_stream__ that gives one batch and then an error."""

    def __init__(self, schema, array, message=b"the disk is on fire"):
        self.schema, self.batches = schema, [array]
        self.message = keep(ctypes.create_string_buffer(message))
        self.stream = keep(Stream(keep(GET_SCHEMA(self.get_schema)), keep(GET_NEXT(self.get_next)),
                                  keep(LAST_ERROR(lambda s: ctypes.addressof(self.message))), STREAM_RELEASE))

    def get_schema(self, stream, out):
        ctypes.memmove(out, ctypes.addressof(self.schema), ctypes.sizeof(Schema))
        return 0

    def get_next(self, stream, out):
        if not self.batches:
            return 5
        ctypes.memmove(out, ctypes.addressof(self.batches.pop()), ctypes.sizeof(Array))
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def offsets(*values, code="i"):
    return struct.pack(f"={len(values)}{code}", *values)


def view(size, buffer, at, head=b"abcd"):
    return struct.pack("=i4sii", size, head, buffer, at)
