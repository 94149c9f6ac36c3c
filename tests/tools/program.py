"""Runs the program under test on stores of its own. Standard library only."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

NOW = "2024-06-01T12:00:00Z"
PROGRAM = None


class Run:
    def __init__(self, done):
        self.code = done.returncode
        self.bytes = done.stdout
        self.out = done.stdout.decode("utf-8")  # fails the test when it is not UTF-8
        self.err = done.stderr.decode("utf-8")

    @property
    def json(self):
        assert self.out.count("\n") == 1 and self.out.endswith("\n"), self.out
        return json.loads(self.out)

    @property
    def error(self):
        """The envelope on stderr: its last line."""
        return json.loads(self.err.splitlines()[-1])["error"]


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="souvenance-test-")
        self.store = os.path.join(self.root, "store")
        self.addCleanup(shutil.rmtree, self.root, True)

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def run_raw(self, *args, stdin=b"", env=None, **more):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("SOUVENANCE_STORE", "XDG_DATA_HOME", "COLUMNS", "NO_COLOR")}
        environment.update(env or {})
        data = stdin if isinstance(stdin, bytes) else stdin.encode("utf-8")
        done = subprocess.run([PROGRAM, *args], input=data, env=environment, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        return Run(done)

    def run_store(self, *args, code=0, **more):
        """With this test's store; the exit code must be `code` (None: any)."""
        run = self.run_raw("--store", self.store, *args, **more)
        if code is not None:
            self.assertEqual(run.code, code, f"{args}\n{run.out}\n{run.err}")
        return run

    def ask(self, *args, **more):
        """The JSON of a reading verb."""
        return self.run_store(*args, "--json", **more).json

    def init(self):
        self.run_store("init")

    def remember(self, text, *args, **more):
        return self.ask("remember", text, "--now", NOW, *args, **more)

    def texts(self, cue, *args):
        """What recall brings, best first. Without the gate: the stores here are tiny."""
        answer = self.ask("recall", cue, "--now", NOW, "--no-gate", *args)
        return [result["text"] for result in answer["results"]]


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__", verbosity=1)
