"""The queue: a list of waiting jobs, and sorted sets for all others.

The record of a job (a hash) is the truth about it. Each job that is not finished stands in
exactly one of three places: waiting (list of ids), active (sorted set, score = when its lock
runs out) or delayed (sorted set, score = when it is due). Who holds a job has its token in the
record. The bell is a list whose only purpose is to wake somebody who waits.
"""

import os

from resp import Script

PREFIX = "importer-demo:importer-local:"
WAITING, BELL, ACTIVE, DELAYED = PREFIX + "waiting", PREFIX + "bell", PREFIX + "active", PREFIX + "delayed"
COMPLETED, FAILED = PREFIX + "completed", PREFIX + "failed"
PRODUCTS, GENERATION = "importer:products", "importer:generation"
STATES = ["waiting", "active", "delayed", "completed", "failed"]


def script(name):
    return Script(os.path.join(os.path.dirname(os.path.abspath(__file__)), "lua", name + ".lua"))


ENQUEUE, PUTBACK, COUNTS, LIMIT, SEED = map(script, ["enqueue", "putback", "counts", "limit", "seed"])
TAKE, RENEW, WAKE, APPLY, FAIL, RETRY, GIVEBACK = map(script, ["take", "renew", "wake", "apply", "fail", "retry", "giveback"])


def record(job):
    return PREFIX + "job:" + job


def mark(batch):
    return "importer:done:" + batch


def enqueue(connection, job, name, data):
    """Returns whether the job is new, and its state."""
    new, state = ENQUEUE.run(connection, [record(job), WAITING, BELL], job, name, data)
    return new == 1, state


def put_back(connection, job):
    """Returns whether a failed job waits again, and the state it was in; "" without a record."""
    done, state = PUTBACK.run(connection, [record(job), WAITING, BELL, FAILED], job)
    return done == 1, state


def find(connection, job):
    flat = connection.call("HGETALL", record(job))
    return dict(zip(flat[::2], flat[1::2]))


def counts(connection):
    return dict(zip(STATES, COUNTS.run(connection, [WAITING, ACTIVE, DELAYED, COMPLETED, FAILED])))
