#!/usr/bin/env python3
"""Writes manual pages, and completion for bash, zsh and fish, of what tools tell of their options (--describe-options).

usage: pages.py [--zsh FOLDER] [--time SECONDS] DESTINATION TOOL...

Into DESTINATION, as it is under share/: man/man1/, bash-completion/completions/, zsh/FOLDER/ and fish/vendor_completions.d/.
SECONDS (since 1970; SOURCE_DATE_EPOCH goes before) is the date of the pages.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time


def options(app):
    return [option for group in app["groups"] for option in group["options"] if option["names"]]


def positionals(app):
    return [option for group in app["groups"] for option in group["options"] if not option["names"]]


def kind(option):
    """What a shell can offer as the value: "file", "folder" or nothing ("")."""
    name = re.split(r"[:.\[ ]", option.get("positional") or option["value"])[0]
    return {"FILE": "file", "OUT": "file", "LISTING": "file", "SCRIPT": "file", "DIR": "folder"}.get(name, "")


def brief(text):
    """The first sentence, as far as a line of a list has room."""
    text = re.split(r"(?<=[^.])[.;](?:\s|$)", " ".join(text.split()) + " ")[0].strip()
    return text if len(text) <= 76 else text[:74].rsplit(" ", 1)[0].rstrip(",") + " ..."


# Manual pages

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def paragraphs(text):
    """Lines of a text that are indented stand for themselves; the others are filled."""
    out = []
    for line in text.split("\n"):
        if line.strip():
            out.append((".br\n" if out else "") + roff(line.strip()))
    return "\n".join(out)


def value(option):
    text = "\\fI" + roff(option["value"]) + "\\fR" if option["value"] else ""
    return text + (" ..." if option["many"] else "")


def manual_options(app):
    out = []
    for group in app["groups"]:
        named = [option for option in group["options"] if option["names"]]
        if not named:
            continue
        out.append(".SS " + roff(group["name"].capitalize() if group["name"].isupper() else group["name"]))
        for option in named:
            words = ", ".join("\\fB" + roff(name) + "\\fR" for name in option["names"])
            notes = [text for text, use in (
                ("It must be given.", option["required"]),
                ("Needs " + ", ".join(option["needs"]) + ".", option["needs"]),
                ("Not together with " + ", ".join(option["excludes"]) + ".", option["excludes"])) if use]
            out += [".TP", words + (" " + value(option) if option["value"] else ""), paragraphs(option["text"]) or "\\&"]
            if notes:
                out += [".br", roff(" ".join(notes))]
    return out


def manual(app, others, date):
    name = app["name"]
    first, _, rest = app["description"].partition(". ")
    first = first.rstrip(".")
    out = [f'.TH {roff(name.upper())} 1 "{date}" "Leno {app["version"].split()[0]}" "Leno"', ".SH NAME",
           roff(name) + " \\- " + roff(" ".join(first.split())), ".SH SYNOPSIS",
           "\\fB" + roff(name) + "\\fR " + roff(app["usage"].split(name, 1)[1].strip()),
           ".SH DESCRIPTION", paragraphs(app["description"])]
    if positionals(app):
        out.append(".SH OPERANDS")
        for option in positionals(app):
            out += [".TP", "\\fI" + roff(option["positional"]) + "\\fR" + (" ..." if option["many"] else ""),
                    paragraphs(option["text"])]
    out += [".SH OPTIONS"] + manual_options(app)
    for one in app["subcommands"]:
        out += [".SH " + roff(name.upper() + " " + one["name"].upper()), paragraphs(one["description"])] + manual_options(one)
    title, _, examples = app["footer"].partition("\n")
    out += [".SH " + title.rstrip(":").upper(), ".nf", roff(examples.rstrip()), ".fi", ".SH SEE ALSO",
            ",\n".join(f".BR {roff(other)} (1)".replace(" (1)", " (1),") for other in others if other != name).replace(",\n", "\n")
            .rstrip(",")]
    return "\n".join(out) + "\n"


# Completion

def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash_cases(app, prefix=""):
    """What follows an option that has a value."""
    out = []
    for what, words in (("file", "compgen -f"), ("folder", "compgen -d"), ("", "")):
        names = [name for option in options(app) if option["value"] and not option["optional"] and kind(option) == what
                 for name in option["names"]]
        if names:
            action = f'mapfile -t COMPREPLY < <({words} -- "$word")' if words else "COMPREPLY=()"
            out.append(f'{prefix}    {"|".join(names)}) {action}; return ;;\n')
    return f'{prefix}  case $before in\n' + "".join(out) + f"{prefix}  esac\n" if out else ""


def bash_words(app, prefix, rest):
    names = " ".join(name for option in options(app) for name in option["names"])
    return (f'{prefix}  if [[ $word == -* ]]; then\n{prefix}    mapfile -t COMPREPLY < <(compgen -W {quoted(names)} -- "$word")\n'
            f"{prefix}  else\n{prefix}    {rest}\n{prefix}  fi\n")


def bash(app):
    function = "_" + app["name"].replace("-", "_")
    files = 'mapfile -t COMPREPLY < <(compgen -f -- "$word")'
    out = [f"# Completion of {app['name']} for bash, made of its options.\n{function}() {{\n",
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n",
           "  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi # --name=value\n"]
    if app["subcommands"]:
        out.append("  local subcommand= i\n  for ((i = 1; i < COMP_CWORD; i++)); do\n"
                   "    [[ ${COMP_WORDS[i]} == -* ]] || { subcommand=${COMP_WORDS[i]}; break; }\n  done\n  case $subcommand in\n")
        for one in app["subcommands"]:
            out.append(f"  {one['name']})\n" + bash_cases(one, "  ") + bash_words(one, "  ", files) + "    return ;;\n")
        out.append("  esac\n")
        names = " ".join(one["name"] for one in app["subcommands"])
        files = f'mapfile -t COMPREPLY < <(compgen -W {quoted(names)} -- "$word")'
    out += [bash_cases(app), bash_words(app, "", files), f"}}\ncomplete -o filenames -F {function} {app['name']}\n"]
    return "".join(out)


def zsh_specs(app):
    """The words of _arguments."""
    def escaped(text):
        return re.sub(r"([\[\]:\\])", r"\\\1", text)

    action = {"file": "_files", "folder": "_files -/", "": " "}
    out = []
    for option in options(app):
        for name in option["names"]:
            spec = "*" if option["many"] else "(" + " ".join(option["names"]) + ")" if len(option["names"]) > 1 else ""
            spec += name
            if option["value"]:
                long = name.startswith("--")
                spec += ("=-" if option["optional"] else "=") if long else "+"
            spec += "[" + escaped(brief(option["text"])) + "]"
            if option["value"]:
                label = escaped(option["value"].strip("[]"))
                spec += ("::" if option["optional"] else ":") + label + ":" + action[kind(option)]
            out.append(quoted(spec))
    for option in positionals(app):
        spec = "*:" if option["many"] else ":" if option["required"] else "::"
        out.append(quoted(spec + escaped(option["positional"]) + ":" + action[kind(option)]))
    return out


def zsh(app):
    lines = " \\\n  ".join
    if not app["subcommands"]:
        return f"#compdef {app['name']}\n# Made of its options.\n_arguments " + lines(zsh_specs(app)) + "\n"
    names = " ".join(one["name"] + "\\:" + quoted(brief(one["description"]).replace(":", "\\:")).replace("'", '"')
                     for one in app["subcommands"])
    out = f"#compdef {app['name']}\n# Made of its options.\nlocal context state state_descr line\ntypeset -A opt_args\n_arguments -C "
    out += lines(zsh_specs(app) + [quoted(f":subcommand:(({names}))"), quoted("*:: :->rest")]) + " && return\n"
    out += "case $state:$words[1] in\n"
    for one in app["subcommands"]:
        out += f"rest:{one['name']}) _arguments " + lines(zsh_specs(one)) + " ;;\n"
    return out + "esac\n"


def fish_option(tool, option, condition):
    words = ["complete", "-c", tool] + condition
    for name in option["names"]:
        words += ["-l", name[2:]] if name.startswith("--") else ["-s", name[1:]]
    if option["value"] and not option["optional"]:
        words += {"file": ["-r", "-F"], "folder": ["-x", "-a", "'(__fish_complete_directories)'"], "": ["-x"]}[kind(option)]
    # In fish a backslash goes before a quote and before itself.
    return " ".join(words + ["-d", "'" + brief(option["text"]).replace("\\", "\\\\").replace("'", "\\'") + "'"]) + "\n"


def fish(app):
    tool = app["name"]
    out = f"# Completion of {tool} for fish, made of its options.\n"
    condition = ["-n", "__fish_use_subcommand"] if app["subcommands"] else []
    out += "".join(fish_option(tool, option, condition) for option in options(app))
    if app["subcommands"]:
        out += f"complete -c {tool} -n __fish_use_subcommand -f\n"
    for one in app["subcommands"]:
        description = brief(one["description"]).replace("\\", "\\\\").replace("'", "\\'")
        out += f"complete -c {tool} -n __fish_use_subcommand -f -a {one['name']} -d '{description}'\n"
        out += "".join(fish_option(tool, option, ["-n", f"'__fish_seen_subcommand_from {one['name']}'"]) for option in options(one))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zsh", default="site-functions")
    parser.add_argument("--time", default="")
    parser.add_argument("destination")
    parser.add_argument("tools", nargs="+")
    words = parser.parse_args()
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or words.time or 0)))
    apps = []
    for tool in words.tools:
        done = subprocess.run([tool, "--describe-options"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"pages.py: {tool} does not tell its options: {done.stderr.strip()}")
        apps.append(json.loads(done.stdout))
    names = sorted(app["name"] for app in apps)
    shutil.rmtree(words.destination, ignore_errors=True)
    for app in apps:
        name = app["name"]
        for path, text in ((f"man/man1/{name}.1", manual(app, names, date)), (f"bash-completion/completions/{name}", bash(app)),
                           (f"zsh/{words.zsh}/_{name}", zsh(app)), (f"fish/vendor_completions.d/{name}.fish", fish(app))):
            path = os.path.join(words.destination, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


main()
