"""The settings: environment variables, each with a default that hides no mistake."""

import os
import re
import urllib.parse

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
UNITS = {"ms": 1, "s": 1000, "m": MINUTE, "h": HOUR}


class BadSetting(Exception):
    pass


def refuse(name, value, allowed):
    raise BadSetting(f'bad setting: {name}="{value}": {allowed}')


def number(name, default, least, most):
    text = os.environ.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,9}", text) or not least <= int(text) <= most:
        refuse(name, text, f"allowed is a whole number from {least} to {most}")
    return int(text)


def duration(name, default, least, most):
    """In milliseconds."""
    text = os.environ.get(name, default)
    total = 0
    if re.fullmatch(r"([0-9]{1,9}(ms|s|m|h))+", text):
        total = sum(int(n) * UNITS[unit] for n, unit in re.findall(r"([0-9]+)(ms|s|m|h)", text))
    else:
        total = -1
    if not least <= total <= most:
        refuse(name, text, f"allowed is a duration from {least}ms to {most}ms, such as 250ms, 30s or 1h0m0s")
    return total


class RedisAddress:
    def __init__(self, name, default):
        text = os.environ.get(name, default)
        allowed = "allowed is redis://[user:password@]host[:port]/database"
        hidden = "(not shown: it may hold a password)"
        try:
            url = urllib.parse.urlsplit(text)
            self.host, self.port = url.hostname, url.port or 6379
        except ValueError:
            refuse(name, hidden, allowed)
        database = url.path.removeprefix("/") or "0"
        shown = text if "@" not in text else hidden
        if url.scheme != "redis" or not self.host or url.query or url.fragment or not re.fullmatch(r"[0-9]{1,6}", database):
            refuse(name, shown, allowed)
        self.database = int(database)
        self.user = urllib.parse.unquote(url.username or "")
        self.password = None if url.password is None else urllib.parse.unquote(url.password)


def host_port(name, default):
    text = os.environ.get(name, default)
    host, colon, port = text.rpartition(":")
    if not colon or not re.fullmatch(r"0|[1-9][0-9]{0,4}", port) or int(port) > 65535:
        refuse(name, text, "allowed is host:port with a port from 0 to 65535")
    return host.strip("[]"), int(port)


def data_dir(name):
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ[name]] if name in os.environ else [os.path.join(at, "..", "..", "data") for at in (".", here)]
    for place in places:
        if place and all(os.path.isfile(os.path.join(place, file)) for file in ("catalog.json", "shipment-a.csv")):
            return place
    refuse(name, os.environ.get(name, ""), "allowed is a folder that holds catalog.json and shipment-a.csv")


class Settings:
    def __init__(self):
        self.redis = RedisAddress("IMPORTER_REDIS_URL", "redis://127.0.0.1:6379/0")
        self.address = host_port("IMPORTER_HTTP_ADDR", "127.0.0.1:8080")
        self.data = data_dir("IMPORTER_DATA_DIR")
        self.rate_limit = number("IMPORTER_RATE_LIMIT", 60, 1, 1_000_000)
        self.rate_window = duration("IMPORTER_RATE_WINDOW", "1m", 1, DAY)
        self.lock = duration("IMPORTER_LOCK_DURATION", "30s", 10, HOUR)
        self.poll = duration("IMPORTER_POLL_INTERVAL", "1s", 1, HOUR)
        self.retention = duration("IMPORTER_RETENTION", "1h", 0, 365 * DAY)
        self.attempts = number("IMPORTER_ATTEMPTS", 5, 1, 100)
        self.backoff = duration("IMPORTER_BACKOFF", "1s", 1, MINUTE)
        self.deadline = duration("IMPORTER_DEADLINE", "2m", 1, DAY)
        self.concurrency = number("IMPORTER_CONCURRENCY", 1, 1, 1000)
