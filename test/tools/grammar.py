"""Colours lines as an editor would, by the TextMate grammar, and checks what the words of the language become.

grammar.py JSON GRAMMAR DIRECTIVES...
"""
import json
import re
import sys


class Grammar:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            grammar = json.load(file)
        self.rules = [rule for entry in grammar["patterns"] for rule in self.resolve(entry, grammar["repository"])]

    def resolve(self, entry, repository):
        for rule in repository[entry["include"][1:]]["patterns"]:
            yield rule, re.compile(rule.get("match") or rule["begin"])

    def scopes(self, line):
        """[(text, scope)] of a line: at each place the first match, of several the first rule's, as TextMate has it."""
        result, at = [], 0
        while at < len(line):
            found = [(match.start(), i, match) for i, (_, pattern) in enumerate(self.rules)
                     if (match := pattern.search(line, at)) and match.end() > match.start()]
            if not found:
                break
            _, index, match = min(found, key=lambda f: f[:2])
            rule = self.rules[index][0]
            if "begin" in rule:
                rest = re.compile(rule["end"]).search(line, match.end())
                at = rest.end() if rest else len(line)
                result.append((line[match.start():at], rule["name"]))
                continue
            if "name" in rule:
                result.append((match.group(), rule["name"]))
            for group, scope in rule.get("captures", {}).items():
                if match.group(int(group)):
                    result.append((match.group(int(group)), scope["name"]))
            at = match.end()
        return result


def expect(grammar, line, *wanted):
    found = [(text, scope.removesuffix(".leno")) for text, scope in grammar.scopes(line)]
    if found != list(wanted):
        sys.exit(f"{line!r} became {found}, wanted {list(wanted)}")


def spellings(records):
    """(mnemonic, modifiers that may follow it) of every encoding."""
    for name in records["!instanceof"]["LenoInst"]:
        record = records[name]
        kinds = [arg[0]["def"] for arg in record["InOperandList"]["args"]]
        yield record["Mnemonic"], [s for kind in kinds if kind.startswith("Mod") for s in records[kind]["Spellings"] if s]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        records = json.load(file)
    grammar = Grammar(sys.argv[2])
    count = 0
    for mnemonic, modifiers in spellings(records):
        for text in (mnemonic, mnemonic.lower()):
            expect(grammar, f"  {text}  ", (text, "keyword.mnemonic"))
        for modifier in modifiers:
            line = f"{mnemonic}.{modifier}"
            # BAR.SYNC and the like are mnemonics with a dot.
            scopes = [scope.removesuffix(".leno") for _, scope in grammar.scopes(line)]
            if scopes not in (["keyword.mnemonic", "storage.modifier"], ["keyword.mnemonic"]):
                sys.exit(f"{line} became {grammar.scopes(line)}")
            count += 1
        expect(grammar, f"{mnemonic}.nonsense", (mnemonic, "keyword.mnemonic"), (".nonsense", "invalid.illegal.modifier"))
    for name in [*(f"R{i}" for i in range(255)), "RZ", "r7"]:
        expect(grammar, f" {name},", (name, "variable.language.register"))
    for name in [*(f"P{i}" for i in range(7)), "PT"]:
        expect(grammar, f" {name},", (name, "variable.language.predicate"))
        expect(grammar, f"@!{name} EXIT", ("@", "keyword.operator.guard"), ("!", "keyword.operator.guard"),
               (name, "variable.language.predicate"), ("EXIT", "keyword.mnemonic"))
    for name in ("R255", "R1000", "P7", "R01x"):
        expect(grammar, f" {name},")
    for name in records["!instanceof"]["SpecialRegister"]:
        text = re.sub(r"_([XYZ])$", r".\1", name)
        expect(grammar, f"{text};", (text, "variable.language.special"))
    for directive in sys.argv[3:]:
        scopes = grammar.scopes(f"  {directive} x")
        if not scopes or scopes[0][0] != directive or "directive" not in scopes[0][1]:
            sys.exit(f"{directive} became {scopes}")
    expect(grammar, "loop: IADD R1, R2.B1, c[3][0x10]; # R1", ("loop", "entity.name.label"), ("IADD", "keyword.mnemonic"),
           ("R1", "variable.language.register"), ("R2", "variable.language.register"), (".B1", "storage.modifier"),
           ("c", "support.variable.constant-bank"), ("3", "constant.numeric"), ("0x10", "constant.numeric"),
           ("# R1", "comment.line.number-sign"))
    expect(grammar, ".param u32 n // the size", (".param", "keyword.control.directive"), ("u32", "storage.type"),
           ("// the size", "comment.line.double-slash"))
    expect(grammar, ".param ptr.f32 x", (".param", "keyword.control.directive"), ("ptr.f32", "storage.type"))
    expect(grammar, ".param ptr x", (".param", "keyword.control.directive"), ("ptr", "storage.type"))
    expect(grammar, '.asciz "EXIT # no"', (".asciz", "keyword.other.directive"), ('"EXIT # no"', "string.quoted.double"))
    print(f"{len(records['!instanceof']['LenoInst'])} encodings, {count} modifiers, {len(sys.argv) - 3} directives")


main()
