"""A client of leno-dbg --web, written from RFC 6455 and RFC 9112; it shares nothing with the server."""
import base64
import hashlib
import json
import os
import socket
import struct
import subprocess


class Refused(Exception):
    """The server said no: its status and text."""

    def __init__(self, status, text):
        super().__init__("%d %s" % (status, text))
        self.status, self.text = status, text


def start(command, *arguments, **keywords):
    """A debugger with --web; returns it, its port and the path of its page."""
    child = subprocess.Popen([command, "--web", "--nx", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **keywords)
    words = child.stdout.readline()
    address = words.split()[-1]
    assert address.startswith("http://127.0.0.1:"), words
    port, path = address[len("http://127.0.0.1:"):].split("/", 1)
    return child, int(port), "/" + path


def read_until(connection, end, data=b""):
    while end not in data:
        more = connection.recv(65536)
        if not more:
            raise EOFError(data)
        data += more
    return data.split(end, 1)


def exchange(port, data):
    """Sends bytes and returns (status, head, body) of the response, after which the server has to close."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(data)
        head, body = read_until(connection, b"\r\n\r\n")
        while True:
            more = connection.recv(65536)
            if not more:
                break
            body += more
    return int(head.split()[1]), head.decode(), body.decode()


def get(port, path, method="GET", **fields):
    fields.setdefault("Host", "127.0.0.1:%d" % port)
    lines = ["%s: %s" % (name.replace("_", "-"), value) for name, value in fields.items() if value is not None]
    return exchange(port, ("\r\n".join(["%s %s HTTP/1.1" % (method, path), *lines]) + "\r\n\r\n").encode())


class Client:
    def __init__(self, port, path, **changes):
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": "127.0.0.1:%d" % port,
            "Origin": "http://127.0.0.1:%d" % port,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": key,
        }
        fields.update({name.replace("_", "-"): value for name, value in changes.items()})
        head = "GET %ssocket HTTP/1.1\r\n" % path + "".join("%s: %s\r\n" % one for one in fields.items() if one[1] is not None)
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.connection.sendall((head + "\r\n").encode())
        answer, self.data = read_until(self.connection, b"\r\n\r\n")
        status = int(answer.split()[1])
        if status != 101:
            while more := self.connection.recv(65536):
                self.data += more
            self.connection.close()
            raise Refused(status, self.data.decode())
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        assert b"Sec-WebSocket-Accept: " + accept in answer, answer

    def frame(self, opcode, payload, last=True, mask=b"\x12\x34\x56\x78"):
        size = len(payload)
        head = bytes([opcode | (0x80 if last else 0)])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += struct.pack("!BH", 0x80 | 126, size)
        else:
            head += struct.pack("!BQ", 0x80 | 127, size)
        return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))

    def send(self, text):
        self.connection.sendall(self.frame(1, text.encode()))

    def take(self, count):
        while len(self.data) < count:
            more = self.connection.recv(65536)
            if not more:
                raise EOFError
            self.data += more
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def receive(self):
        """(opcode, payload) of the next frame: whole, and without a mask."""
        first, size = self.take(2)
        assert first & 0x80 and not size & 0x80, (first, size)
        if size == 126:
            (size,) = struct.unpack("!H", self.take(2))
        elif size == 127:
            (size,) = struct.unpack("!Q", self.take(8))
        return first & 15, self.take(size)

    def line(self):
        opcode, payload = self.receive()
        assert opcode == 1, (opcode, payload)
        return json.loads(payload)

    def until(self, kind):
        """The next line of that type, and those before it."""
        before = []
        while True:
            line = self.line()
            if line["type"] == kind:
                return line, before
            before.append(line)

    def ask(self, command):
        self.send(command)
        answer, before = self.until("answer")
        assert answer["command"] == command, answer
        return answer, before

    def closed(self):
        """The code with which the server ends the connection, whatever it says before."""
        while True:
            opcode, payload = self.receive()
            if opcode == 8:
                (code,) = struct.unpack("!H", payload[:2])
                self.connection.sendall(self.frame(8, payload[:2]))
                try:
                    assert self.connection.recv(1) == b""
                except ConnectionResetError:
                    pass
                return code
