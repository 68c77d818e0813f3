"""Reads the data of a page of `ezlda report` from its file."""
import array
import base64
import json
import re


def page_data(page):
    """The data object of a page, given as text."""
    found = re.search(r'<script type="application/json" id="ezlda-data">(.*?)</script>', page, re.S)
    return json.loads(found[1])


def data_of(path):
    return page_data(path.read_text(encoding="utf-8"))


def unpack(kind, text):
    """A packed table; kind as in the module array."""
    return array.array(kind, base64.b64decode(text, validate=True))
