"""Both READMEs show the compiled example, the package list and the same commands.
usage: readme_test.py SOURCE_DIRECTORY"""

import pathlib
import re
import sys


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def packages(text):
    """The names in tools/packages, but for those that are never installed."""
    lines = [line.split() for line in text.splitlines()]
    return [line[0] for line in lines
            if line and not line[0].startswith("#") and not any("optional" in word for word in line)]


def apt_get(names):
    """The command of the READMEs, broken at 90 columns."""
    lines, line = [], "sudo apt-get install"
    for name in names:
        if len(line) + 1 + len(name) > 88:
            lines.append(line + " \\")
            line = "   "
        line += " " + name
    return "\n".join(lines + [line]) + "\n"


def headings(text):
    return [len(match) for match in re.findall(r"^(#+) ", text, re.MULTILINE)]


def main():
    source = pathlib.Path(sys.argv[1])
    example = (source / "tests/engine/readme_example.cc").read_text(encoding="utf-8")
    command = apt_get(packages((source / "tools/packages").read_text(encoding="utf-8")))
    texts = {}
    for name in ["README.md", "README.zh-CN.md"]:
        text = texts[name] = (source / name).read_text(encoding="utf-8")
        assert blocks(text, "cpp") == [example], f"{name}: its example is not readme_example.cc"
        shell = blocks(text, "sh")
        assert command in shell, f"{name}: no block of its own says\n{command}"
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            if not link.startswith("http"):
                assert (source / link).exists(), f"{name}: {link} does not exist"
    first, second = texts.values()
    assert blocks(first, "sh") == blocks(second, "sh"), "the READMEs' commands differ"
    assert headings(first) == headings(second), "the READMEs' sections differ"


if __name__ == "__main__":
    main()
