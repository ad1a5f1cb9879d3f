"""What producer and worker have agreed on, and the refusals by which they say so."""

import json
import re

JOB_NAME = "import-shipment"
DATASET = "shipment-a"
VERSION = 1


class Refusal(Exception):
    """A final answer: the same content will be refused again."""

    def __init__(self, code, detail):
        super().__init__(f"{code}: {detail}")
        self.code = code


def job_id(batch):
    return "shipment-" + batch


def strict_object(raw, kinds):
    """Reads one JSON object whose fields are known, each once and of its kind."""

    def pairs(found):
        names = [name for name, _ in found]
        for name in names:
            if names.count(name) > 1:
                raise Refusal("invalid_json", f"field {name!r} stands twice")
        return dict(found)

    def constant(name):
        raise ValueError(name)

    try:
        text = raw.decode() if isinstance(raw, bytes) else raw
        found = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except (ValueError, RecursionError):
        raise Refusal("invalid_json", "one JSON object in UTF-8 is expected, and nothing after it") from None
    if not isinstance(found, dict):
        raise Refusal("invalid_json", "one JSON object is expected")
    for name, value in found.items():
        if name not in kinds:
            raise Refusal("unknown_field", f"field {name!r} is not part of the contract")
        if type(value) is not kinds[name]:
            raise Refusal("invalid_json", f"field {name!r} has the wrong type")
    return found


def check(dataset, batch):
    if dataset != DATASET:
        raise Refusal("invalid_dataset", f"dataset is {dataset!r}, allowed is {DATASET!r}")
    if not re.fullmatch(r"[A-Za-z0-9-]{1,64}", batch):
        raise Refusal("invalid_batch_id", f"batchId is {batch!r}, allowed are 1 to 64 letters, digits and hyphens")
    return batch


def batch_of_request(body):
    found = strict_object(body, {"dataset": str, "batchId": str})
    return check(found.get("dataset", ""), found.get("batchId", ""))


def batch_of_job(name, data):
    """The worker checks by itself: a stored job may come from a producer that checked nothing."""
    if name != JOB_NAME:
        raise Refusal("unknown_job", f"job name is {name!r}, this worker knows {JOB_NAME!r}")
    found = strict_object(data, {"contractVersion": int, "dataset": str, "batchId": str})
    if found.get("contractVersion") != VERSION:
        raise Refusal("unknown_contract_version", f"contractVersion is {found.get('contractVersion')}, this program knows {VERSION}")
    return check(found.get("dataset", ""), found.get("batchId", ""))


def job_data(batch):
    return json.dumps({"contractVersion": VERSION, "dataset": DATASET, "batchId": batch})
