"""A client of the Debug Adapter Protocol, for tests: sends requests, keeps events, checks what every message must have."""
import json
import os
import socket
import subprocess


class Client:
    def __init__(self, debugger=None, cwd=None, arguments=("--dap",), connect=None):
        """A debugger of its own, or one that listens on the port `connect`."""
        if connect:
            self.socket = socket.create_connection(("127.0.0.1", connect))
            self.input, self.output_stream = self.socket.makefile("wb"), self.socket.makefile("rb")
        else:
            self.process = subprocess.Popen([debugger, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd)
            self.input, self.output_stream = self.process.stdin, self.process.stdout
        self.sequence = 0
        self.last_received = 0
        self.events = []
        self.answers = {}

    def send_bytes(self, data):
        self.input.write(data)
        self.input.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def read(self):
        length = None
        while True:
            line = self.output_stream.readline()
            assert line.endswith(b"\r\n"), "the server is gone, or its header is damaged: %r" % line
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            assert name == b"Content-Length", line
            length = int(value)
        message = json.loads(self.output_stream.read(length))
        assert message["seq"] == self.last_received + 1, message
        self.last_received = message["seq"]
        assert message["type"] in ("response", "event"), message
        return message

    def start(self, command, /, **arguments):
        """Sends a request; its number."""
        self.sequence += 1
        message = {"seq": self.sequence, "type": "request", "command": command}
        if arguments:
            message["arguments"] = arguments
        self.send(message)
        return self.sequence

    def answer(self, sequence):
        """The response to a request; events and other responses before it are kept."""
        while sequence not in self.answers:
            message = self.read()
            if message["type"] == "event":
                self.events.append(message)
            else:
                self.answers[message["request_seq"]] = message
        return self.answers.pop(sequence)

    def ask(self, command, /, **arguments):
        """The body of a response that must be a success."""
        response = self.answer(self.start(command, **arguments))
        assert response["success"], response
        assert response["command"] == command, response
        return response.get("body", {})

    def refused(self, command, /, **arguments):
        """The message of a response that must be a failure."""
        response = self.answer(self.start(command, **arguments))
        assert not response["success"], response
        return response["body"]["error"]["format"]

    def event(self, name):
        """The body of the first event of that name that was not asked for yet; others are kept."""
        while True:
            for message in self.events:
                if message["event"] == name:
                    self.events.remove(message)
                    return message.get("body", {})
            message = self.read()
            assert message["type"] == "event", message
            self.events.append(message)
            assert name != "stopped" or message["event"] != "terminated", "it ended instead of stopping"

    def stopped(self, reason=None):
        body = self.event("stopped")
        assert reason in (None, body["reason"]), body
        return body

    def output(self, category):
        """The text of that category among the events that have arrived."""
        kept = [m for m in self.events if m["event"] == "output" and m["body"]["category"] == category]
        self.events = [m for m in self.events if m not in kept]
        return "".join(m["body"]["output"] for m in kept)

    def launch(self, program, breakpoints=(), **arguments):
        """Up to the first stop, or the run without one."""
        can = self.ask("initialize", adapterID="leno", supportsInvalidatedEvent=True)
        self.ask("launch", program=program, **arguments)
        self.event("initialized")
        answers = []
        if breakpoints:
            answers = self.ask("setBreakpoints", source={"path": os.path.abspath(program)},
                               breakpoints=[b if isinstance(b, dict) else {"line": b} for b in breakpoints])
        self.ask("configurationDone")
        return can, answers

    def frame(self, thread):
        return self.ask("stackTrace", threadId=thread)["stackFrames"][0]

    def scope(self, thread, name):
        scopes = self.ask("scopes", frameId=self.frame(thread)["id"])["scopes"]
        return next(s for s in scopes if s["name"] == name)

    def children(self, reference, **arguments):
        return self.ask("variables", variablesReference=reference, **arguments)["variables"]

    def close(self):
        """Of a connection."""
        for one in (self.input, self.output_stream, self.socket):
            one.close()

    def disconnect(self):
        self.ask("disconnect")
        self.process.stdin.close()
        assert self.process.wait(60) == 0
