"""A terminal in a few lines: a program on a pseudo-terminal, and what its screen holds. It knows the sequences that terminfo has
for xterm, screen, tmux, linux and vt100; one that it does not know fails the test."""
import fcntl, os, pty, re, select, struct, sys, termios, time


class Screen:
    def __init__(self, command, rows=24, columns=80, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            for name, value in environment.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execv(command[0], command)
        self.patience = 30 * float(os.environ.get("LENO_TEST_PATIENCE", 1))
        self.others = []  # screens beneath
        self.begin(rows, columns)
        self.left = b""
        self.heard = b""

    def begin(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.saved = (0, 0)
        self.top, self.bottom = 0, rows - 1
        self.style = ""
        self.styles = {}

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        # As most do: what does not fit is cut, on the screens beneath too.
        cut = lambda old: [[old[r][c] if r < len(old) and c < len(old[r]) else " " for c in range(columns)] for r in range(rows)]
        old, at = self.cells, (min(self.row, rows - 1), min(self.column, columns - 1))
        self.begin(rows, columns)
        self.cells, (self.row, self.column) = cut(old), at
        self.others = [(cut(cells), min(row, rows - 1), min(column, columns - 1)) for cells, row, column in self.others]

    def scroll(self):
        del self.cells[self.top]
        self.cells.insert(self.bottom, [" "] * self.columns)
        self.styles = {(r - 1 if self.top < r <= self.bottom else r, c): s for (r, c), s in self.styles.items() if not (r == self.top)}

    def put(self, character):
        if self.column == self.columns:
            self.column = 0
            self.down()
        self.cells[self.row][self.column] = character
        self.styles[self.row, self.column] = self.style
        self.column += 1

    def down(self):
        if self.row == self.bottom:
            self.scroll()
        elif self.row < self.rows - 1:
            self.row += 1

    def erase(self, row, first, last):
        for column in range(first, last):
            self.cells[row][column] = " "
            self.styles.pop((row, column), None)

    def control(self, mark, numbers, final):
        n = [int(one) if one else 0 for one in numbers.split(";")] if numbers else []
        one = max(1, n[0]) if n else 1
        column = min(self.column, self.columns - 1)
        if mark == "?":
            if final in "hl" and n[0] in (1049, 47):
                if final == "h":
                    self.others.append((self.cells, self.row, self.column))
                    self.cells = [[" "] * self.columns for _ in range(self.rows)]
                elif self.others:
                    self.cells, self.row, self.column = self.others.pop()
            elif not (final in "hl" and n[0] in (1, 7, 12, 25, 2004, 1034)):
                raise AssertionError("sequence ?%s%s" % (numbers, final))
        elif final in "Hf":
            self.row = min((n[0] if n else 1) or 1, self.rows) - 1
            self.column = min((n[1] if len(n) > 1 else 1) or 1, self.columns) - 1
        elif final == "r":
            first, last = (n + [0, 0])[:2]
            self.top, self.bottom = max(1, first) - 1, min(last or self.rows, self.rows) - 1
            assert self.top < self.bottom, "a region of one row"
            self.row = self.column = 0
        elif final == "J":
            assert not n or n[0] in (0, 2), "J %s" % n
            whole = n and n[0] == 2
            for row in range(0 if whole else self.row, self.rows):
                self.erase(row, column if row == self.row and not whole else 0, self.columns)
        elif final == "K":
            kind = n[0] if n else 0
            self.erase(self.row, column if kind == 0 else 0, column + 1 if kind == 1 else self.columns)
        elif final == "G":
            self.column = one - 1
        elif final == "d":
            self.row = one - 1
        elif final == "A":
            self.row = max(0, self.row - one)
        elif final == "B":
            self.row = min(self.rows - 1, self.row + one)
        elif final == "C":
            self.column = min(self.columns - 1, column + one)
        elif final == "D":
            self.column = max(0, column - one)
        elif final == "P":
            line = self.cells[self.row]
            self.cells[self.row] = line[:column] + line[column + one :] + [" "] * min(one, self.columns - column)
        elif final == "@":
            line = self.cells[self.row]
            self.cells[self.row] = (line[:column] + [" "] * one + line[column:])[: self.columns]
        elif final == "m":
            for number in n or [0]:
                self.style = "" if number == 0 else self.style + "+%d" % number
        elif final in "hl" and n and n[0] == 4 or final == "t":
            assert final != "h", "insert mode"
        else:
            raise AssertionError("sequence %r %s %s" % (mark, numbers, final))

    def take(self, data):
        self.heard += data
        text = (self.left + data).decode("utf-8", "surrogateescape")
        self.left = b""
        at = 0
        while at < len(text):
            c = text[at]
            if c == "\x1b":
                found = re.compile(r"\x1b(\[([?>]?)([0-9;]*)([@-~])|[()][A-Z0-9]|[78=>M])").match(text, at)
                if not found:
                    self.left = text[at:].encode("utf-8", "surrogateescape")
                    assert len(text) - at < 20, "sequence %r" % text[at : at + 20]
                    return
                if found[4]:
                    self.control(found[2], found[3], found[4])
                elif found[1] == "7":
                    self.saved = (self.row, self.column)
                elif found[1] == "8":
                    self.row, self.column = self.saved
                elif found[1] == "M":
                    assert self.row > self.top, "scrolls down"
                    self.row -= 1
                at = found.end()
                continue
            if c == "\n":
                self.down()
            elif c == "\r":
                self.column = 0
            elif c == "\b":
                self.column = max(0, min(self.column, self.columns) - 1)
            elif c == "\t":
                self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
            elif c not in "\x07\x0f\x0e\x00":
                self.put(c)
            at += 1

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def line(self, row):
        return "".join(self.cells[row]).rstrip()

    def await_(self, condition, what):
        """Until that is so, and nothing more comes."""
        end = time.time() + self.patience
        while True:
            done = condition()
            ready, _, _ = select.select([self.terminal], [], [], 0.02)
            if not ready:
                if done:
                    return
                assert time.time() < end, "expected %s on\n%s\n%r" % (what, self.text(), self.heard[-600:])
                continue
            try:
                data = os.read(self.terminal, 65536)
            except OSError:
                data = b""
            if not data:
                assert condition(), "expected %s at the end of\n%s" % (what, self.text())
                return
            self.take(data)

    def expect(self, pattern):
        self.await_(lambda: re.search(pattern, self.text(), re.M), repr(pattern))

    def listens(self):
        """A prompt is there, and the terminal itself no longer echoes: that comes a moment later."""
        return self.line(self.row) in ("(leno)", ">") and not termios.tcgetattr(self.terminal)[3] & termios.ECHO

    def prompt(self):
        """Until a line can be typed."""
        self.await_(self.listens, "a prompt")

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def enter(self, line):
        self.type(line + "\r")
        self.await_(lambda: self.listens() and line in self.heard.decode("utf-8", "replace"), "a prompt after " + line)
        self.heard = b""

    def leave(self):
        """The status with which it ends."""
        self.type("quit\r")
        self.drain()
        return os.waitpid(self.child, 0)[1]

    def drain(self):
        end = time.time() + self.patience
        while time.time() < end:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.time()))
            try:
                data = os.read(self.terminal, 65536) if ready else b""
            except OSError:
                data = b""
            if not data:
                return
            self.take(data)
