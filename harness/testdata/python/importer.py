"""Imports shipments into the stock of a small shop: stage 08, with nothing but Python's standard library."""

import json
import os
import signal
import sys
import threading

USAGE = """usage: importer.py serve | work | seed | enqueue --job-id ID --data JSON"""
COMMAND_WITHIN = 3.0  # seconds


def main(args):
    # Before any thread is there, so that all of them leave these signals to whoever waits for them.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    from settings import BadSetting, Settings

    command, rest = (args[0], args[1:]) if args else ("", [])
    options = dict(zip(rest[::2], rest[1::2]))
    wanted = {"--job-id", "--data"} if command == "enqueue" else set()
    if command not in ("serve", "work", "seed", "enqueue") or set(options) != wanted or len(rest) != 2 * len(wanted):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        settings = Settings()
        if command == "serve":
            return serve(settings)
    except BadSetting as error:
        print(error, file=sys.stderr)
        return 2
    if command == "work":
        from worker import Worker

        Worker(settings, log).run()
        return 0
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
    return seed(settings) if command == "seed" else enqueue(settings, options["--job-id"], options["--data"])


def serve(settings):
    from settings import refuse
    from web import Server

    try:
        server = Server(settings, log)
    except OSError as error:
        refuse("IMPORTER_HTTP_ADDR", os.environ.get("IMPORTER_HTTP_ADDR", ""), str(error))
    server.serve()
    return 0


def seed(settings):
    import jobs
    import shipment
    from resp import Connection

    with open(os.path.join(settings.data, "catalog.json"), encoding="utf-8") as file:
        products = json.load(file)
    words = []
    for p in products:
        if not shipment.valid_sku(p["sku"]) or not shipment.valid_title(p["title"]) or not 0 <= p["quantity"] <= shipment.MAX_QUANTITY:
            print(f"catalog.json: {p} is no product", file=sys.stderr)
            return 1
        words += [p["sku"], json.dumps({"sku": p["sku"], "title": p["title"], "quantity": p["quantity"]}, ensure_ascii=False)]
    written = jobs.SEED.run(Connection(settings.redis, COMMAND_WITHIN), [jobs.PRODUCTS, jobs.GENERATION], *words)
    print(f"seeded {written} products" + ("" if written else ": there is stock already"))
    return 0


def enqueue(settings, job, data):
    import contract
    import jobs
    from resp import Connection

    new, state = jobs.enqueue(Connection(settings.redis, COMMAND_WITHIN), job, contract.JOB_NAME, data)
    log("job_stored" if new else "job_known", jobId=job, state=state)
    print(json.dumps({"jobId": job, "stored": new, "state": state}))
    return 0


printing = threading.Lock()


def log(event, **fields):
    """One JSON object a line on stderr."""
    with printing:
        sys.stderr.write(json.dumps({"event": event, **fields}, ensure_ascii=True) + "\n")
        sys.stderr.flush()


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
    except Exception as error:
        print(f"importer: {type(error).__name__}: {error}", file=sys.stderr)
        status = 1
    sys.stdout.flush()
    os._exit(status)  # threads that wait for Redis or for a client are not waited for
