"""The worker: takes jobs and applies their shipments to the stock."""

import hashlib
import json
import random
import secrets
import signal
import threading
import time

import contract
import jobs
import shipment
from resp import Connection, ConnectionLost, RedisError

COMMAND_WITHIN = 3.0  # seconds
GRACE = 5.0  # seconds that a job in hand gets when the worker is asked to stop
MAX_PAUSE = 60_000  # ms
TROUBLE = (ConnectionLost, RedisError)


class Lost(Exception):
    """Another worker has the job by now."""


class Worker:
    def __init__(self, settings, log):
        self.settings, self.log = settings, log
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.held = {}  # token: job id

    def run(self):
        slots = [Slot(self) for _ in range(self.settings.concurrency)]
        threads = [threading.Thread(target=slot.run, daemon=True) for slot in slots]
        helpers = [threading.Thread(target=target, daemon=True) for target in (self.wake, self.renew)]
        for thread in threads + helpers:
            thread.start()
        signal.sigwait({signal.SIGTERM, signal.SIGINT})
        self.stopping.set()
        for slot in slots:
            slot.waiting.interrupt()
        until = time.monotonic() + GRACE
        for thread in threads:
            thread.join(max(until - time.monotonic(), 0))
        self.give_back()

    def wake(self):
        """Looks for due retries and for jobs whose lock has run out."""
        connection = Connection(self.settings.redis, COMMAND_WITHIN)
        keys = [jobs.WAITING, jobs.BELL, jobs.ACTIVE, jobs.DELAYED]
        down = False
        while True:
            try:
                jobs.WAKE.run(connection, keys, jobs.PREFIX + "job:")
                down = False
            except TROUBLE as error:
                if not down:
                    self.log("redis_unavailable", error=str(error))
                down = True
            if self.stopping.wait(self.settings.poll / 1000):
                return

    def renew(self):
        connection = Connection(self.settings.redis, COMMAND_WITHIN)
        while True:
            with self.lock:
                held = list(self.held.items())
            for token, job in held:
                try:
                    jobs.RENEW.run(connection, [jobs.record(job), jobs.ACTIVE], token, self.settings.lock, job)
                except TROUBLE:
                    pass  # the next turn comes soon enough
            time.sleep(self.settings.lock / 3000)

    def give_back(self):
        """What is still in hand when the grace is over goes back to the queue."""
        connection = Connection(self.settings.redis, COMMAND_WITHIN)
        with self.lock:
            held = list(self.held.items())
        for token, job in held:
            try:
                jobs.GIVEBACK.run(connection, [jobs.record(job), jobs.ACTIVE, jobs.WAITING, jobs.BELL], token, job)
                self.log("job_given_back", jobId=job)
            except TROUBLE as error:
                self.log("redis_unavailable", jobId=job, error=str(error))


class Slot:
    """Has one job in hand at a time."""

    def __init__(self, worker):
        self.worker, self.settings, self.log = worker, worker.settings, worker.log
        self.redis = Connection(self.settings.redis, COMMAND_WITHIN)
        self.waiting = Connection(self.settings.redis, COMMAND_WITHIN)

    def run(self):
        down = False
        stopping = self.worker.stopping
        while not stopping.is_set():
            try:
                taken = self.take()
                if not taken:
                    self.waiting.call("BLPOP", jobs.BELL, 1, wait=1.0)
                down = False
            except TROUBLE as error:
                if not down and not stopping.is_set():
                    self.log("redis_unavailable", error=str(error))
                down = True
                stopping.wait(min(self.settings.poll / 1000, 1))
                continue
            if taken:
                self.attend(*taken)

    def take(self):
        token = secrets.token_hex(12)
        taken = jobs.TAKE.run(self.redis, [jobs.WAITING, jobs.ACTIVE], token, self.settings.lock, jobs.PREFIX + "job:")
        return [token, *taken] if taken else None

    def attend(self, token, job, name, data, attempt, age, stalled):
        with self.worker.lock:
            self.worker.held[token] = job
        started = time.monotonic()
        self.log("job_taken_over" if stalled else "job_taken", jobId=job, attempt=attempt)
        try:
            event, details = self.attempt(token, job, name, data, attempt, age, stalled, started)
            self.log(event, jobId=job, **details)
        except Lost:
            self.log("lock_lost", jobId=job)
        except TROUBLE as error:
            self.log("redis_unavailable", jobId=job, error=str(error))  # the lock will run out
        finally:
            with self.worker.lock:
                self.worker.held.pop(token, None)

    def attempt(self, token, job, name, data, attempt, age, stalled, started):
        """Does one attempt and returns the event that tells how it ended."""
        s = self.settings
        try:
            if attempt > s.attempts:
                raise contract.Refusal("attempts_exhausted", f"{s.attempts} attempts were begun and none was finished")
            if attempt > 1 and not stalled and age >= s.deadline:
                raise contract.Refusal("deadline_exceeded", f"{age} ms have gone by, the deadline is {s.deadline} ms")
            batch = contract.batch_of_job(name, data)
            rows = shipment.load(s.data, contract.DATASET)
            return "job_completed", {"imported": self.apply(token, job, batch, rows)["imported"]}
        except contract.Refusal as refusal:
            return self.fail(token, job, str(refusal))
        except (*TROUBLE, OSError) as error:
            reason = str(error)
        if attempt >= s.attempts:
            return self.fail(token, job, f"attempts_exhausted: attempt {attempt} of {s.attempts}: {reason}")
        pause = random.randint(0, min(s.backoff * 2 ** (attempt - 1), MAX_PAUSE))
        if age + (time.monotonic() - started) * 1000 + pause >= s.deadline:
            return self.fail(token, job, f"deadline_exceeded: {reason}")
        self.mine(jobs.RETRY.run(self.redis, [jobs.record(job), jobs.ACTIVE, jobs.DELAYED], token, job, reason, pause))
        return "job_retry", {"attempt": attempt, "pause": f"{pause}ms", "reason": reason}

    def apply(self, token, job, batch, rows):
        """Adds the rows and ends the job, in one script. After an error the outcome is not known."""
        keys = [jobs.PRODUCTS, jobs.GENERATION, jobs.mark(batch), jobs.record(job), jobs.ACTIVE, jobs.COMPLETED]
        text = json.dumps(rows)
        answer = jobs.APPLY.run(self.redis, keys, token, job, batch, fingerprint(rows), text, self.settings.retention)
        if answer[0] == "refused":
            raise contract.Refusal(answer[1], answer[2])
        if answer[0] == "lost":
            raise Lost
        return json.loads(answer[1])

    def fail(self, token, job, reason):
        self.mine(jobs.FAIL.run(self.redis, [jobs.record(job), jobs.ACTIVE, jobs.FAILED], token, job, reason, self.settings.retention))
        return "job_failed", {"reason": reason}

    def mine(self, answer):
        if answer != 1:
            raise Lost


def fingerprint(rows):
    """The same for the same rows, however the file wrote them."""
    return hashlib.sha256(json.dumps(sorted(rows)).encode()).hexdigest()
