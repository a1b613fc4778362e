"""Checks that a vim syntax file has every word of the language in the group where it belongs.

vim_grammar.py JSON SYNTAX.vim
"""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    records = json.load(file)
groups = {}
with open(sys.argv[2], encoding="utf-8") as file:
    for group, pattern in re.findall(r"^syntax match leno(\w+) ~(.*)~", file.read(), re.M):
        groups[group] = re.search(r"\\%\(((?:(?!\\%\().)*?\\\|.*?)\\\)\\%\(", pattern + r"\%(")
words = {group: set(found.group(1).replace(r"\.", ".").split(r"\|")) if found else set() for group, found in groups.items()}
kinds = records["!instanceof"]
wanted = {
    "Mnemonic": {records[name]["Mnemonic"].upper() for name in kinds["LenoInst"]},
    "Modifier": {spelling for name in kinds["ModGroup"] for spelling in records[name]["Spellings"] if spelling},
    "Type": {"u32", "ptr", "ptr.f32", "ptr.c128"},
    "Special": {re.sub(r"_([XYZ])$", r".\1", name) for name in kinds["SpecialRegister"]},
}
for group, names in wanted.items():
    if missing := names - words.get(group, set()):
        sys.exit(f"leno{group} lacks {', '.join(sorted(missing))}")
print(", ".join(f"{len(names)} of {group.lower()}" for group, names in wanted.items()))
