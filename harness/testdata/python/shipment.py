"""Reads a shipment, or refuses the whole of it with file, line and column."""

import os
import re
import unicodedata

from contract import Refusal

MAX_ROWS, MAX_BYTES, MAX_QUANTITY, MAX_TITLE = 100, 64 << 10, 1_000_000, 200
HEADER = ["sku", "title", "quantity"]


def valid_sku(sku):
    return re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", sku) is not None


def valid_title(title):
    return 1 <= len(title) <= MAX_TITLE and not any(unicodedata.category(c) == "Cc" for c in title)


def load(folder, dataset):
    name = dataset + ".csv"
    with open(os.path.join(folder, name), "rb") as file:
        return parse(name, file.read(MAX_BYTES + 1))


def parse(name, content):
    def bad(line, column, why):
        return Refusal("bad_csv", f"{name} line {line}, {column}: {why}")

    if len(content) > MAX_BYTES:
        raise bad(1, "size", f"the file is larger than {MAX_BYTES} bytes")
    try:
        text = content.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        raise bad(error.object[:error.start].count(b"\n") + 1, "title", "it is not UTF-8") from None
    records = read_records(text, bad)
    if not records or records[0][1] != HEADER:
        raise bad(1, "header", "the first line must be " + ",".join(HEADER))
    rows, seen = [], {}
    for line, fields in records[1:]:
        if len(fields) != len(HEADER):
            raise bad(line, "fields", f"there are {len(fields)} fields, {len(HEADER)} are expected")
        sku, title, quantity = fields
        if not valid_sku(sku):
            raise bad(line, "sku", f"{sku!r}; allowed are 1 to 64 small letters, digits and hyphens, no hyphen first")
        if not valid_title(title):
            raise bad(line, "title", f"{title!r}; allowed are 1 to {MAX_TITLE} characters without control characters")
        if not re.fullmatch(r"[0-9]{1,18}", quantity) or not 1 <= int(quantity) <= MAX_QUANTITY:
            raise bad(line, "quantity", f"{quantity!r}; allowed is a whole number from 1 to {MAX_QUANTITY}, digits only")
        if sku in seen:
            raise bad(line, "sku", f"{sku!r} stands on line {seen[sku]} already")
        if len(rows) == MAX_ROWS:
            raise bad(line, "rows", f"there are more than {MAX_ROWS}")
        seen[sku] = line
        rows.append([sku, title, int(quantity)])
    if not rows:
        raise bad(1, "rows", "the shipment is empty")
    return rows


def read_records(text, bad):
    """RFC 4180: pairs of line and fields. Empty lines are left out."""
    records, at, line = [], 0, 1
    while at < len(text):
        start, fields = line, []
        while True:
            field, at, line = read_field(text, at, line, bad)
            fields.append(field)
            if text[at:at + 1] != ",":
                break
            at += 1
        if text.startswith("\r\n", at):
            at += 2
        elif text[at:at + 1] == "\n":
            at += 1
        elif at < len(text):
            raise bad(line, "syntax", f"{text[at]!r} stands behind a quoted field")
        line += 1
        if fields != [""]:
            records.append((start, fields))
    return records


def read_field(text, at, line, bad):
    if text[at:at + 1] != '"':
        end = re.compile(r",|\r?\n|\Z").search(text, at).start()
        if '"' in text[at:end]:
            raise bad(line, "syntax", "a quote stands inside of a field that is not quoted")
        return text[at:end], end, line
    start, field = line, ""
    at += 1
    while True:
        end = text.find('"', at)
        if end < 0:
            raise bad(start, "syntax", "a quote is not closed")
        field += text[at:end]
        at = end + 1
        if text[at:at + 1] != '"':
            return field, at, start + field.count("\n")
        field += '"'
        at += 1
