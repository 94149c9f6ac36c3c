#!/usr/bin/env python3
"""Holds the tree to its layers: an include goes down, or stays in its folder.

    layering.py [--root DIR]   reads every #include, prints the violations, exits 1 if there are any
    layering.py --self-test    plants violations in a tree of its own and expects each to be found

The rules are those of docs/architecture.md; the tables below are the whole of them.
"""

import argparse
import pathlib
import re
import sys
import tempfile

# Folder -> the folders that it may name in quotes.
BELOW = {
    "storage": {"storage"},
    "index": {"index", "storage"},
    "graph": {"graph", "storage"},
    "scoring": {"scoring"},
    "engine": {"engine", "index", "graph", "scoring", "storage"},
    "tools": {"tools"},
    "bench": {"bench", "engine", "index", "graph", "scoring", "storage"},
}

# Folders that may include the public API; the vocabulary of storage is for all.
USES_API = {"engine", "tools", "bench"}

# Third-party library -> its headers, and the folders whose .cc files may include them.
LIBRARIES = {
    "SQLite": (r"sqlite3\.h", {"storage"}),
    "SQLiteCpp": (r"SQLiteCpp/", {"storage"}),
    "OpenSSL": (r"openssl/", {"storage", "index"}),
    "Xapian": (r"xapian(\.h|/)", {"index"}),
    "hnswlib": (r"hnswlib/", {"index"}),
    "Eigen": (r"(unsupported/)?Eigen/", {"index", "scoring"}),
    "ICU": (r"unicode/", {"index"}),
    "libcurl": (r"curl/", {"index"}),
    "Boost": (r"boost/", {"graph"}),
    "nlohmann-json": (r"nlohmann/", {"engine", "index", "tools"}),
    "CLI11": (r"CLI/", {"tools"}),
    "fmt": (r"fmt/", {"tools"}),
    "spdlog": (r"spdlog/", {"tools"}),
    "Google Benchmark": (r"benchmark/", {"bench"}),
    "GoogleTest": (r"g(test|mock)/", set()),
    "tl::expected": (r"tl/expected\.hpp", set()),
}

# The one third-party type that public headers show, and the one header that may name it.
EXPECTED_HEADER = "storage/include/souvenance/error.h"

# POSIX, Linux and compiler headers. Those of C++ have no dot. (<stdio.h> has renameat2, fileno.)
SYSTEM = re.compile(
    r"[a-z_0-9]+|(sys|linux|net|netinet|arpa)/[a-z_0-9]+\.h"
    r"|(dirent|dlfcn|errno|fcntl|fnmatch|glob|poll|pthread|pwd|sched|semaphore|signal|spawn"
    r"|stdio|stdlib|strings|syslog|termios|unistd)\.h|[a-z0-9]*mmintrin\.h|immintrin\.h|arm_neon\.h|cpuid\.h"
)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>]+)>|"([^"]+)"|(\S+))', re.MULTILINE)


def sources(root):
    for folder in BELOW:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".h", ".cc") and path.is_file():
                yield folder, path


def check_quoted(root, folder, target):
    top = target.split("/")[0]
    if ".." in target.split("/"):
        return "climbs with .."
    if top not in BELOW or "/" not in target:
        return "is not written from the root of the tree"
    if top not in BELOW[folder]:
        return f"{folder} may not include {top}"
    if not (root / target).is_file():
        return "does not exist"
    return None


def check_public(root, folder, target):
    if (root / "storage/include" / target).is_file():
        return None
    if not (root / "engine/include" / target).is_file():
        return "is no public header"
    return None if folder in USES_API else f"{folder} may not include the API, which is above it"


def check_angled(root, folder, path, target):
    if target.startswith("souvenance/"):
        return check_public(root, folder, target)
    for library, (pattern, allowed) in LIBRARIES.items():
        if not re.match(pattern, target):
            continue
        if library == "tl::expected" and path.relative_to(root).as_posix() == EXPECTED_HEADER:
            return None
        if path.suffix == ".h":
            return f"{library} may not be named in a header"
        if folder == "bench" and library not in ("GoogleTest", "tl::expected"):
            return None
        return None if folder in allowed else f"{folder} may not include {library}"
    return None if SYSTEM.fullmatch(target) else "is an unknown library: name it in the table"


def violations(root):
    found = []
    hnswlib = []
    for folder, path in sources(root):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            angled, quoted, other = match.groups()
            if angled:
                problem = check_angled(root, folder, path, angled)
                if angled.startswith("hnswlib/"):
                    hnswlib.append(name)
            elif quoted:
                problem = check_quoted(root, folder, quoted)
            else:
                problem = "names a macro"
            if problem:
                line = text.count("\n", 0, match.start()) + 1
                found.append(f"{name}:{line}: {angled or quoted or other}: {problem}")
    users = sorted(set(hnswlib))
    for name in users[1:]:
        # Debian's hnswlib 0.6.2 defines functions in its header that are not inline.
        found.append(f"{name}: hnswlib: only one .cc may include it, and {users[0]} does")
    return found


GOOD = {
    "storage/include/souvenance/error.h": "#include <tl/expected.hpp>\n#include <string>\n",
    "engine/include/souvenance/engine.h": "#include <souvenance/error.h>\n",
    "storage/rows.h": "#include <souvenance/error.h>\n#include <cstdint>\n",
    "storage/store.cc": '#include "storage/rows.h"\n#include <sqlite3.h>\n#include <sys/stat.h>\n',
    "index/analyzer.h": "#include <souvenance/error.h>\n",
    "index/vectors.cc": '#include "index/analyzer.h"\n#include <hnswlib/hnswlib.h>\n',
    "graph/graph.cc": '#include "storage/rows.h"\n#include <boost/graph/graph_traits.hpp>\n',
    "scoring/gate.h": "#include <span>\n",
    "scoring/gate.cc": '#include "scoring/gate.h"\n#include <Eigen/Core>\n',
    "engine/engine.cc": '#include "scoring/gate.h"\n#include "index/analyzer.h"\n'
    "#include <souvenance/engine.h>\n#include <nlohmann/json.hpp>\n",
    "tools/main.cc": "#include <souvenance/engine.h>\n#include <CLI/CLI.hpp>\n",
    "bench/a_bench.cc": '#include "index/analyzer.h"\n#include <benchmark/benchmark.h>\n',
}

# File -> an include that breaks a rule, and a part of what must be said about it.
PLANTED = [
    ("storage/a.cc", '#include "index/analyzer.h"', "storage may not include index"),
    ("index/a.cc", '#include "graph/graph.h"', "index may not include graph"),
    ("index/a.cc", '#  include "engine/engine.h"', "index may not include engine"),
    ("graph/a.h", '#include "scoring/gate.h"', "graph may not include scoring"),
    ("scoring/a.cc", '#include "storage/rows.h"', "scoring may not include storage"),
    ("tools/a.cc", '#include "engine/core.h"', "tools may not include engine"),
    ("index/a.h", "#include <souvenance/engine.h>", "may not include the API"),
    ("index/a.h", "#include <souvenance/nothing.h>", "is no public header"),
    ("index/a.h", '#include "analyzer.h"', "not written from the root"),
    ("index/a.h", '#include "index/../graph/graph.h"', "climbs"),
    ("index/a.h", '#include "index/nothing.h"', "does not exist"),
    ("index/a.h", "#include <xapian.h>", "Xapian may not be named in a header"),
    ("engine/include/souvenance/b.h", "#include <nlohmann/json.hpp>", "in a header"),
    ("index/a.h", "#include <tl/expected.hpp>", "in a header"),
    ("engine/a.cc", "#include <xapian.h>", "engine may not include Xapian"),
    ("graph/a.cc", "#include <sqlite3.h>", "graph may not include SQLite"),
    ("storage/a.cc", "#include <spdlog/spdlog.h>", "storage may not include spdlog"),
    ("engine/a.cc", "#include <gtest/gtest.h>", "engine may not include GoogleTest"),
    ("index/a.cc", "#include <hnswlib/hnswlib.h>", "only one .cc may include it"),
    ("bench/a.cc", "#include <faiss/Index.h>", "is an unknown library"),
    ("index/a.cc", "#include HEADER", "names a macro"),
]


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in GOOD.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        for problem in violations(root):
            failures.append(f"a good tree is accused: {problem}")
        for name, line, expected in PLANTED:
            path = root / name
            path.write_text(f"// A comment.\n{line}\n", encoding="utf-8")
            found = violations(root)
            # hnswlib's second user is told by the order of names, not by the planted file.
            if len(found) != 1 or expected not in found[0]:
                failures.append(f"{name}: {line}: expected '{expected}', found {found}")
            path.unlink()
    for failure in failures:
        print(failure)
    print(f"self-test: {len(PLANTED)} planted violations, {len(failures)} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    root = (args.root or pathlib.Path(__file__).parents[2]).resolve()
    count = sum(1 for _ in sources(root))
    found = violations(root)
    for problem in found:
        print(problem)
    print(f"layering: {count} files, {len(found)} violations")
    # A wrong --root would otherwise pass with nothing read.
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
