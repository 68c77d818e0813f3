"""Conversion of a model to the PreparedData of pyLDAvis."""
from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _calls

if TYPE_CHECKING:
    from .model import Model


def prepared(model: Model, words: int) -> Any:
    pandas = _calls.needs("pandas", "Model.to_pyldavis")
    prepare = _calls.needs("pyLDAvis._prepare", "Model.to_pyldavis")
    with _calls.scratch() as folder:
        path = os.path.join(folder, "vis.json")
        model.export("pyldavis-json", path, words=words)
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    coordinates = pandas.DataFrame(data["mdsDat"]).set_index("topics", drop=False).rename_axis("topic")
    return prepare.PreparedData(coordinates, pandas.DataFrame(data["tinfo"]), pandas.DataFrame(data["token.table"]),
                                data["R"], data["lambda.step"], data["plot.opts"], data["topic.order"])
