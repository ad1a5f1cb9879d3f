"""A small Redis client: RESP2 over one socket, nothing repeated behind anybody's back."""

import hashlib
import socket
import time


class RedisError(Exception):
    """Redis answered with an error."""


class ConnectionLost(Exception):
    """No whole answer came. Whether the command was executed is not known."""


class Connection:
    """One connection, opened by its first command and again after it was lost."""

    def __init__(self, settings, timeout):
        self.settings = settings
        self.timeout = timeout  # seconds for one command, its connecting included
        self.socket = None
        self.buffer = b""

    def close(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def interrupt(self):
        """Ends a wait in another thread."""
        try:
            if self.socket is not None:
                self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def fresh(self):
        """Says whether the connection can be used: the other side may have left."""
        if self.socket is None:
            return True
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b"" and False
        except BlockingIOError:
            return True
        except OSError:
            return False

    def call(self, *words, wait=0.0):
        """Sends one command and returns its answer; wait is how long Redis may block."""
        return self.pipeline([words], wait)[0]

    def pipeline(self, commands, wait=0.0):
        """Sends commands together and returns their answers. The first error is raised."""
        deadline = time.monotonic() + self.timeout + wait
        try:
            self._connect(deadline)
            answers = self._exchange(commands, deadline)
        except (OSError, EOFError) as error:
            self.close()
            raise ConnectionLost(str(error) or type(error).__name__) from error
        for answer in answers:
            if isinstance(answer, RedisError):
                raise answer
        return answers

    def _connect(self, deadline):
        if self.socket is not None:
            return
        s = self.settings
        self.buffer = b""
        self.socket = socket.create_connection((s.host, s.port), max(deadline - time.monotonic(), 0.001))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        greeting = []
        if s.password is not None:
            greeting.append(("AUTH", s.user, s.password) if s.user else ("AUTH", s.password))
        if s.database:
            greeting.append(("SELECT", s.database))
        for answer in self._exchange(greeting, deadline) if greeting else []:
            if isinstance(answer, RedisError):
                self.close()
                raise answer

    def _exchange(self, commands, deadline):
        self._until(deadline)
        self.socket.sendall(b"".join(encode(words) for words in commands))
        return [self._read(deadline) for _ in commands]

    def _until(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        self.socket.settimeout(left)

    def _read(self, deadline):
        line = self._line(deadline)
        kind, rest = line[:1], line[1:]
        if kind == b"+":
            return rest.decode()
        if kind == b"-":
            return RedisError(rest.decode(errors="replace"))
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else self._bytes(int(rest), deadline).decode(errors="surrogateescape")
        if kind == b"*":
            return None if rest == b"-1" else [self._read(deadline) for _ in range(int(rest))]
        raise OSError(f"unknown answer {line[:40]!r}")

    def _line(self, deadline):
        while b"\r\n" not in self.buffer:
            self._more(deadline)
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line

    def _bytes(self, size, deadline):
        while len(self.buffer) < size + 2:
            self._more(deadline)
        content, self.buffer = self.buffer[:size], self.buffer[size + 2:]
        return content

    def _more(self, deadline):
        self._until(deadline)
        part = self.socket.recv(65536)
        if not part:
            raise EOFError("the connection was closed")
        self.buffer += part


def encode(words):
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        raw = word if isinstance(word, bytes) else str(word).encode(errors="surrogateescape")
        parts.append(b"$%d\r\n%s\r\n" % (len(raw), raw))
    return b"".join(parts)


class Script:
    """A Lua script, called by its sum; an emptied script cache is a normal day."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.sum = hashlib.sha1(self.source.encode()).hexdigest()

    def run(self, connection, keys, *args):
        try:
            return connection.call("EVALSHA", self.sum, len(keys), *keys, *args)
        except RedisError as error:
            if not str(error).startswith("NOSCRIPT"):
                raise
        return connection.call("EVAL", self.source, len(keys), *keys, *args)
