"""The producer: accepts imports over HTTP and stores them as jobs."""

import http.server
import json
import signal
import socket
import threading
import time
import urllib.parse

import contract
import jobs
from resp import Connection, ConnectionLost, RedisError

ANSWER_WITHIN = 1.0  # seconds that one request may spend on Redis
MAX_BODY = 4096
TITLES = {400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict",
          413: "Content Too Large", 415: "Unsupported Media Type", 429: "Too Many Requests", 503: "Service Unavailable"}


class Problem(Exception):
    def __init__(self, status, code, detail, headers=()):
        super().__init__(detail)
        self.status, self.code, self.headers = status, code, dict(headers)


class Pool:
    """Connections that nobody uses just now."""

    def __init__(self, settings):
        self.settings = settings
        self.lock = threading.Lock()
        self.idle = []

    def __enter__(self):
        with self.lock:
            while self.idle:
                connection = self.idle.pop()
                if connection.fresh():
                    return self.borrow(connection)
                connection.close()
        return self.borrow(Connection(self.settings, ANSWER_WITHIN))

    def borrow(self, connection):
        local.connection = connection
        return connection

    def __exit__(self, *_):
        connection = local.connection
        if connection.socket is not None:
            with self.lock:
                self.idle.append(connection)


local = threading.local()


class Producer:
    def __init__(self, settings, log):
        self.settings, self.log = settings, log
        self.pool = Pool(settings.redis)
        self.copy = None  # of the catalogue: generation and products

    def within_limit(self, redis, client):
        key = jobs.PREFIX + "limit:" + client
        ok, left = jobs.LIMIT.run(redis, [key], self.settings.rate_limit, self.settings.rate_window)
        if not ok:
            seconds = max(1, -(-left // 1000))
            raise Problem(429, "rate_limited", f"the window ends in {left} ms", {"Retry-After": str(seconds)})

    def post_import(self, request):
        with self.pool as redis:
            self.within_limit(redis, request.client_address[0])
            batch = contract.batch_of_request(request.body())
            job = contract.job_id(batch)
            new, state = jobs.enqueue(redis, job, contract.JOB_NAME, contract.job_data(batch))
        self.log("job_stored" if new else "job_known", jobId=job, state=state)
        where = {"Location": "/api/imports/" + job}
        if state == "failed":
            raise Problem(409, "job_failed", f"job {job} has failed and is kept: POST /api/imports/{job}/retry puts it back", where)
        return 202, {"jobId": job}, where

    def post_retry(self, request, job):
        with self.pool as redis:
            self.within_limit(redis, request.client_address[0])
            done, state = jobs.put_back(redis, job)
        if not state:
            raise Problem(404, "not_found", f"there is no job {job}")
        if not done:
            raise Problem(409, "job_not_failed", f"job {job} is {state}")
        self.log("job_stored", jobId=job, state=state)
        return 202, {"jobId": job}, {"Location": "/api/imports/" + job}

    def get_counts(self, _):
        with self.pool as redis:
            return 200, {"counts": jobs.counts(redis)}, {}

    def get_import(self, _, job):
        with self.pool as redis:
            record = jobs.find(redis, job)
        if not record:
            raise Problem(404, "not_found", f"there is no job {job}; its record may have been removed")
        shown = {"jobId": job, "state": record["state"], "attempts": int(record["attempts"])}
        if "result" in record:
            shown["result"] = json.loads(record["result"])
        if "error" in record:
            shown["error"] = record["error"]
        return 200, shown, {}

    def get_products(self, _):
        with self.pool as redis:
            generation = redis.call("GET", jobs.GENERATION)
            copy = self.copy
            if generation is not None and copy is not None and copy[0] == int(generation):
                return 200, {"generation": copy[0], "products": copy[1]}, {"X-Cache": "hit"}
            # In one transaction: an import between two reads would put its stock under the generation before it.
            *_, (now, flat) = redis.pipeline([("MULTI",), ("GET", jobs.GENERATION), ("HGETALL", jobs.PRODUCTS), ("EXEC",)])
        products = sorted((json.loads(raw) for raw in flat[1::2]), key=lambda product: product["sku"])
        if now is not None:
            self.copy = (int(now), products)
        return 200, {"generation": int(now or 0), "products": products}, {"X-Cache": "miss"}

    def get_health(self, _):
        with self.pool as redis:
            redis.call("PING")
        return 200, {"status": "ok"}, {}

    def route(self, path):
        """The methods of a path, each with what does it."""
        parts = path.strip("/").split("/")
        if path == "/api/imports":
            return {"GET": self.get_counts, "POST": self.post_import}
        if path == "/api/products":
            return {"GET": self.get_products}
        if path == "/healthz":
            return {"GET": self.get_health}
        if len(parts) == 3 and parts[:2] == ["api", "imports"]:
            return {"GET": lambda request: self.get_import(request, parts[2])}
        if len(parts) == 4 and parts[:2] == ["api", "imports"] and parts[3] == "retry":
            return {"POST": lambda request: self.post_retry(request, parts[2])}
        return {}

    def answer(self, request):
        path = urllib.parse.unquote(urllib.parse.urlsplit(request.path).path)
        try:
            routes = self.route(path)
            if not routes:
                raise Problem(404, "not_found", "there is nothing at this path")
            method = "GET" if request.command == "HEAD" else request.command
            if method not in routes:
                allow = ", ".join(sorted(routes) + (["HEAD"] if "GET" in routes else []))
                raise Problem(405, "method_not_allowed", "allowed here: " + allow, {"Allow": allow})
            return (*routes[method](request), "application/json")
        except contract.Refusal as refusal:
            problem = Problem(400, refusal.code, str(refusal))
        except (ConnectionLost, RedisError, ValueError, KeyError) as error:
            self.log("redis_unavailable", path=path, error=str(error))
            problem = Problem(503, "redis_unavailable", "Redis gave no usable answer: ask again, with the same batchId")
        except Problem as found:
            problem = found
        body = {"type": "about:blank", "title": TITLES[problem.status], "status": problem.status, "code": problem.code, "detail": str(problem)}
        return problem.status, body, problem.headers, "application/problem+json"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10  # seconds that a client may be silent
    disable_nagle_algorithm = True

    def handle_any(self):
        self.server.busy(self, True)
        self.drained = False
        status, body, headers, kind = self.server.producer.answer(self)
        self.drain()
        content = json.dumps(body).encode()
        self.send_response_only(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        if self.server.stopping:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        self.server.busy(self, False)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = handle_any

    def body(self):
        """The body of a POST, whose type and size are as agreed."""
        kind, *parameters = [part.strip().lower() for part in self.headers.get("Content-Type", "").split(";")]
        if kind != "application/json" or any(p not in ("charset=utf-8", 'charset="utf-8"') for p in parameters) or "Content-Encoding" in self.headers:
            raise Problem(415, "unsupported_media_type", "the body must be application/json in UTF-8")
        try:
            content = b"".join(self.parts(MAX_BODY))
        except (OSError, ValueError):
            self.close_connection = True
            raise Problem(400, "invalid_json", "the body could not be read to its end") from None
        self.drained = True
        return content

    def parts(self, most):
        """Yields the body; over the limit it is a problem."""
        total = 0
        for size in self.sizes():
            total += size
            if total > most:
                self.close_connection = True
                raise Problem(413, "body_too_large", f"the body is larger than {most} bytes")
            part = self.rfile.read(size)
            if len(part) < size:
                raise ValueError("cut short")
            yield part
            if self.chunked():
                self.rfile.readline()

    def sizes(self):
        if not self.chunked():
            yield int(self.headers.get("Content-Length", "0"))
            return
        while size := int(self.rfile.readline(80).split(b";")[0], 16):
            yield size
        while self.rfile.readline(1000).strip():
            pass

    def chunked(self):
        return self.headers.get("Transfer-Encoding", "").lower() == "chunked"

    def drain(self):
        """Reads what is left of a body that was refused: a client that still sends would not see the answer."""
        if self.drained or self.command in ("GET", "HEAD"):
            return
        if not self.close_connection and not self.chunked():
            try:
                self.rfile.read(min(int(self.headers.get("Content-Length", "0")), 8 << 20))
            except (OSError, ValueError):
                self.close_connection = True
            return
        self.close_connection = True
        self.connection.settimeout(1)
        try:
            left = int(self.headers.get("Content-Length", "0")) if not self.chunked() else 0
            while left > 0 and (part := self.rfile.read1(65536)):
                left -= len(part)
        except (OSError, ValueError):
            pass

    def log_message(self, *_):
        pass


class Server:
    def __init__(self, settings, log):
        self.producer = Producer(settings, log)
        self.log = log
        self.listener = socket.create_server(settings.address, backlog=256)
        self.stopping = False
        self.lock = threading.Lock()
        self.idle = set()
        self.threads = set()

    def serve(self):
        host, port = self.listener.getsockname()[:2]
        print(f"listening on http://{host}:{port}", flush=True)
        threading.Thread(target=self.accept, daemon=True).start()
        signal.sigwait({signal.SIGTERM, signal.SIGINT})
        self.stopping = True
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            for connection in self.idle:
                try:
                    connection.shutdown(socket.SHUT_RD)
                except OSError:
                    pass
            threads = list(self.threads)
        until = time.monotonic() + 5
        for thread in threads:
            thread.join(max(until - time.monotonic(), 0))

    def accept(self):
        while not self.stopping:
            try:
                connection, address = self.listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self.handle, args=(connection, address), daemon=True)
            with self.lock:
                thread.start()  # before serve can see it: a thread that was not started cannot be waited for
                self.threads.add(thread)
                self.idle.add(connection)

    def handle(self, connection, address):
        try:
            Handler(connection, address, self)
        except OSError:
            pass  # the client has left
        finally:
            with self.lock:
                self.idle.discard(connection)
                self.threads.discard(threading.current_thread())
            try:
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            connection.close()

    def busy(self, handler, yes):
        with self.lock:
            if yes:
                self.idle.discard(handler.connection)
                return
            self.idle.add(handler.connection)
            if self.stopping:
                handler.close_connection = True
