#!/usr/bin/env python3
"""Writes the editor grammars from the records: a VS Code extension (TextMate) and a vim syntax file.

usage: grammar.py JSON OUTPUT_DIR            write OUTPUT_DIR/vscode and OUTPUT_DIR/vim
       grammar.py JSON OUTPUT_DIR --check    tell which of the files there are not what would be written
"""
import json
import os
import re
import sys

from records import InstructionSet, special_text

MADE = "Made from isa/*.td by isa/gen/grammar.py: do not edit."
TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64", "ptr"]
REGISTER = "R(?:25[0-4]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9]|Z)"
PREDICATE = "P[0-6T]"


def longest_first(words):
    return sorted(set(words), key=lambda word: (-len(word), word))


class Words:
    """What a grammar must know."""

    def __init__(self, isa):
        self.mnemonics = longest_first(inst.mnemonic.upper() for inst in isa.instructions)
        self.modifiers = longest_first(s for group in isa.groups.values() for s in group.spellings + group.synonyms if s)
        self.special = longest_first(special_text(name) for _, name, _ in isa.special)
        self.directives = longest_first(d["Name"] for d in isa.directives if d["Parse"])
        self.llvm_directives = longest_first(d["Name"] for d in isa.directives if not d["Parse"])
        self.types = TYPES + ["ptr." + element["Name"] for element in isa.elements]


def any_of(words):
    return "(?:" + "|".join(re.escape(word) for word in words) + ")"


def textmate(words):
    end = r"(?![\w$.])"
    modifier = r"\." + any_of(words.modifiers)
    rules = {
        "comment": [{"name": "comment.line.number-sign.leno", "match": "#.*$"},
                    {"name": "comment.line.double-slash.leno", "match": "//.*$"},
                    {"name": "comment.block.leno", "begin": r"/\*", "end": r"\*/"}],
        "string": [{"name": "string.quoted.double.leno", "begin": '"', "end": '"|$',
                    "patterns": [{"name": "constant.character.escape.leno", "match": r"\\."}]}],
        "label": [{"name": "entity.name.label.leno", "match": r"(?<![\w$.@])[A-Za-z_.$][\w.$]*(?=\s*:)"}],
        "directive": [{"name": "keyword.control.directive.leno", "match": rf"(?i:(?<![\w$.]){any_of(words.directives)}){end}"},
                      {"name": "keyword.other.directive.leno", "match": rf"(?<![\w$.]){any_of(words.llvm_directives)}{end}"}],
        "guard": [{"match": rf"(?i:(@)\s*(!?)({PREDICATE})){end}",
                   "captures": {"1": {"name": "keyword.operator.guard.leno"}, "2": {"name": "keyword.operator.guard.leno"},
                                "3": {"name": "variable.language.predicate.leno"}}}],
        "instruction": [{"match": rf"(?i:(?<![\w$.])({any_of(words.mnemonics)})((?:{modifier})*))((?:\.\w*)*)(?![\w$])",
                         "captures": {"1": {"name": "keyword.mnemonic.leno"}, "2": {"name": "storage.modifier.leno"},
                                      "3": {"name": "invalid.illegal.modifier.leno"}}}],
        "register": [{"name": "variable.language.special.leno", "match": rf"(?i:(?<![\w$.]){any_of(words.special)}){end}"},
                     {"match": rf"(?i:(?<![\w$.])({REGISTER})((?:{modifier})?)){end}",
                      "captures": {"1": {"name": "variable.language.register.leno"}, "2": {"name": "storage.modifier.leno"}}},
                     {"name": "variable.language.predicate.leno", "match": rf"(?i:(?<![\w$.]){PREDICATE}){end}"},
                     {"match": rf"(?i:(?<![\w$.])(CC)((?:{modifier})?)){end}",
                      "captures": {"1": {"name": "variable.language.flags.leno"}, "2": {"name": "storage.modifier.leno"}}},
                     {"name": "support.variable.constant-bank.leno", "match": r"(?i:(?<![\w$.])c)(?=\[)"}],
        "type": [{"name": "storage.type.leno", "match": rf"(?<![\w$.]){any_of(words.types)}{end}"}],
        "number": [{"name": "constant.numeric.leno",
                    "match": r"(?i:(?<![\w$.])(?:0x[0-9a-f]+|0b[01]+|[0-9]+\.[0-9]*(?:e[-+]?[0-9]+)?|[0-9]+e[-+]?[0-9]+"
                             r"|[0-9]+[bf]?))(?![\w$])"}],
    }
    return {
        "information_for_contributors": [MADE],
        "name": "Leno assembly", "scopeName": "source.leno", "fileTypes": ["leno"],
        "patterns": [{"include": f"#{name}"} for name in rules],
        "repository": {name: {"patterns": patterns} for name, patterns in rules.items()},
    }


PACKAGE = {
    "name": "leno-assembly", "displayName": "Leno assembly", "version": "0.1.0", "publisher": "leno",
    "description": "Colours for Leno's assembly language. " + MADE,
    "engines": {"vscode": "^1.60.0"}, "categories": ["Programming Languages"],
    "main": "./folding.js", "activationEvents": ["onLanguage:leno"],
    "capabilities": {"untrustedWorkspaces": {"supported": True}, "virtualWorkspaces": True},
    "contributes": {
        "languages": [{"id": "leno", "aliases": ["Leno assembly"], "extensions": [".leno", ".s"],
                       "configuration": "./language-configuration.json"}],
        "grammars": [{"language": "leno", "scopeName": "source.leno", "path": "./syntaxes/leno.tmLanguage.json"}],
    },
}
CONFIGURATION = {
    "comments": {"lineComment": "#", "blockComment": ["/*", "*/"]},
    "brackets": [["[", "]"], ["(", ")"]],
    "autoClosingPairs": [["[", "]"], ["(", ")"], ['"', '"']],
    "wordPattern": r"[.@]?[\w$][\w$.]*",
    "folding": {"markers": {"start": r"^\s*\.(kernel|macro|rept|irp|irpc|if\w*)\b",
                            "end": r"^\s*\.(endkernel|endm|endmacro|endr|endif)\b"}},
    "indentationRules": {"increaseIndentPattern": r"^\s*\.(kernel|macro|rept|irpc?|if\w*)\b",
                         "decreaseIndentPattern": r"^\s*\.(endkernel|endm|endmacro|endr|endif)\b"},
}


def vim_any(words):
    return r"\%(" + r"\|".join(word.replace(".", r"\.") for word in words) + r"\)"


def vim(words):
    before, end = r"\%([[:alnum:]_$.]\)\@<!", r"\%([[:alnum:]_$.]\)\@!"
    groups = [
        ("Label", "Label", r"[[:alpha:]_.$][[:alnum:]_.$]*\ze\s*:", ""),
        ("Number", "Number", before + r"\%(0x\x\+\|0b[01]\+\|\d\+\.\d*\%(e[-+]\?\d\+\)\?\|\d\+e[-+]\?\d\+\|\d\+[bf]\?\)"
                             r"\%([[:alnum:]_$]\)\@!", ""),
        ("Type", "Type", before + vim_any(words.types) + end, ""),
        ("Register", "Identifier", before + REGISTER.replace("(?:", r"\%(").replace("|", r"\|").replace(")", r"\)")
         .replace("?[0-9]", r"\=[0-9]") + r"\%([[:alnum:]_$]\)\@!", "nextgroup=lenoModifier"),
        ("Predicate", "Identifier", before + PREDICATE + end, ""),
        ("Flags", "Identifier", before + r"CC\%([[:alnum:]_$]\)\@!", "nextgroup=lenoModifier"),
        ("Bank", "Identifier", before + r"c\ze\[", ""),
        ("Special", "Constant", before + vim_any(words.special) + end, ""),
        ("Guard", "Conditional", r"@\s*!\=" + PREDICATE + end, ""),
        ("Directive", "PreProc", before + vim_any(words.directives) + end, ""),
        ("LlvmDirective", "PreProc", before + vim_any(words.llvm_directives) + end, ""),
        ("Mnemonic", "Statement", before + vim_any(words.mnemonics) + r"\%([[:alnum:]_$]\)\@!", "nextgroup=lenoModifier"),
        ("Modifier", "Type", r"\." + vim_any(words.modifiers) + r"\%([[:alnum:]_$]\)\@!", "contained nextgroup=lenoModifier"),
        ("Comment", "Comment", r"\%(#\|//\).*$", "contains=@Spell"),
    ]
    lines = [f'" Vim syntax file: Leno assembly. {MADE}',
             'if exists("b:current_syntax")', "  finish", "endif", "syntax case ignore", ""]
    for name, _, pattern, options in groups:
        lines.append(f"syntax match leno{name} ~{pattern}~ {options}".rstrip())
    lines += ["syntax region lenoComment start=~/\\*~ end=~\\*/~ contains=@Spell",
              'syntax region lenoString start=~"~ skip=~\\\\.~ end=~"~ oneline', ""]
    lines += [f"highlight default link leno{name} {link}" for name, link, _, _ in groups]
    lines += ["highlight default link lenoString String", "", 'let b:current_syntax = "leno"']
    return "\n".join(lines) + "\n"


FTDETECT = f'''" {MADE}
autocmd BufRead,BufNewFile *.leno setfiletype leno
autocmd BufRead,BufNewFile *.s if search('^\\s*\\.kernel\\>', 'nw') | setlocal filetype=leno | endif
'''


def as_json(value):
    return json.dumps(value, indent=2) + "\n"


def files(words):
    return {
        "vscode/package.json": as_json(PACKAGE),
        "vscode/language-configuration.json": as_json(CONFIGURATION),
        "vscode/syntaxes/leno.tmLanguage.json": as_json(textmate(words)),
        "vim/syntax/leno.vim": vim(words),
        "vim/ftdetect/leno.vim": FTDETECT,
    }


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--check"]):
        sys.exit(__doc__)
    isa_path, out = sys.argv[1:3]
    stale = []
    for name, text in files(Words(InstructionSet.read(isa_path))).items():
        path = os.path.join(out, name)
        if len(sys.argv) == 4:
            try:
                with open(path, encoding="utf-8") as file:
                    current = file.read()
            except OSError:
                current = None
            if current != text:
                stale.append(path)
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    if stale:
        sys.exit(f"not what the records give: {', '.join(stale)}\nbuild the target 'editors' to write them again")


if __name__ == "__main__":
    main()
