"""What a model of an instruction sees and gives.

A model is a function of the modifiers `m` and of one lane's view `s`:

    @model("IMUL")
    def imul(m, s):
        ...
        return {"rd": product}

`m.NAME` is a modifier by its operand name in the record: True or False for a flag, else the spelling in lower case.
`s.ra` is the operand's raw value, unsigned and as wide as its registers; `s.neg`, `s.abs`, `s.inv` are the sets of operand
names with such a sign, `s.part` tells the part of a video source; `s.pp` is a source predicate with its `!` done; `s.ZF` .. `s.OF` and `s.P` are the lane's flags and
predicates before the instruction. The result names what is written: registers, predicates `pu`, `pv`, `cc` as
(ZF, SF, CF, OF), `P` for all seven predicates; a value of None is not compared. A warp model gets the views of all executing lanes, in lane order, and
gives a list of results.
"""

MODELS, WARP_MODELS = {}, {}
HINTS = {}  # mnemonic -> operand name ("" for the rest) -> what values are interesting (values.py)


def keeper(table):
    def decorator(*mnemonics, **hints):
        hints = {("" if name == "values" else name): hint for name, hint in hints.items()}

        def keep(function):
            table.update({mnemonic: function for mnemonic in mnemonics})
            HINTS.update({mnemonic: hints for mnemonic in mnemonics})
            return function
        return keep
    return decorator


model, warp_model = keeper(MODELS), keeper(WARP_MODELS)


def signed(value, bits=32):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def flags_of(m, zero, sign):
    """What .CC writes where there is no carry and no overflow."""
    return {"cc": (zero, sign, False, False)} if getattr(m, "CC", False) else {}


FLAG_NAMES = ("ZF", "SF", "CF", "OF")  # bits 8 to 11 of the predicate register


class View:
    """One lane before the instruction."""

    def __init__(self, lane, cta, word, operands, registers):
        self.lane, self.cta = lane, cta
        self.P = [bool(word >> i & 1) for i in range(7)] + [True]
        self.ZF, self.SF, self.CF, self.OF = (bool(word >> i & 1) for i in range(8, 12))
        self.registers = registers
        attributes = self.__dict__
        for name, operand in operands.items():
            if operand.bits is not None:
                attributes[name] = operand.bits
            elif operand.register is not None:
                attributes[name] = self.read(operand.register, operand.words)
            elif operand.predicate is not None:
                attributes[name] = self.P[operand.predicate] != operand.inverted
            attributes.update(operand.more)

    def read(self, register, words):
        if register == 255:
            return 0
        parts = [self.registers[register + i] for i in range(words)]
        return None if None in parts else sum(part << 32 * i for i, part in enumerate(parts))

    def write(self, operands, result):
        """The lane's registers and predicate register after the instruction."""
        registers, word = dict(self.registers), self.word(self.P, (self.ZF, self.SF, self.CF, self.OF))
        predicates = self.P if "P" not in result else list(result["P"])
        predicates = list(predicates)
        for name, value in result.items():
            if name in ("cc", "P"):
                continue
            operand = operands.get(name)
            if operand is None:  # the text has no such destination: PT
                continue
            if operand.predicate is not None:
                predicates[operand.predicate] = bool(value)
            elif operand.register != 255:
                for i in range(operand.words):
                    registers[operand.register + i] = None if value is None else value >> 32 * i & 0xFFFFFFFF
        word = self.word(predicates, result.get("cc", (self.ZF, self.SF, self.CF, self.OF)))
        return registers, word

    @staticmethod
    def word(predicates, flags):
        return (sum(bool(p) << i for i, p in enumerate(predicates[:7])) |
                sum(bool(f) << 8 + i for i, f in enumerate(flags)))
