"""The table of bad input in docs/errors.md, row by row. Nothing is ever half written."""

import json
import os
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import program
from program import NOW, ProgramTest

READING = [["recall", "tea"], ["context", "tea"], ["recent", "--session", "s"], ["lookup", "tea"],
           ["timeline", "tea"], ["show", "a1-x"], ["history", "a1-x"], ["list"], ["verify"],
           ["stats"]]
CHANGING = [["revise", "a1-x", "--content", "x"], ["retract", "a1-x"], ["reinforce", "a1-x"],
            ["forget", "a1-x"], ["reindex"], ["maintain"]]


class Stores(ProgramTest):
    def test_a_store_that_does_not_exist(self):
        for verb in READING + CHANGING:
            run = self.run_store(*verb, "--json", code=66)
            self.assertEqual(run.error["code"], "not_found", verb)
            self.assertIn("init", run.error["hint"])
            self.assertFalse(os.path.exists(self.store), verb)

    def test_a_directory_that_is_no_store(self):
        self.write("store/notes.txt", "mine")
        for verb in READING + CHANGING + [["init"], ["remember", "x"]]:
            self.run_store(*verb, code=2)
            self.assertEqual(os.listdir(self.store), ["notes.txt"], verb)

    def test_a_place_where_nothing_can_be_made(self):
        self.store = "/dev/null/store"
        self.run_store("init", code=73)
        self.run_store("remember", "x", code=73)

    def test_a_newer_schema(self):
        self.init()
        base = sqlite3.connect(os.path.join(self.store, "truth.db"))
        base.execute("PRAGMA user_version = 99")
        base.close()
        for verb in [["recall", "tea"], ["remember", "x"], ["stats"]]:
            run = self.run_store(*verb, "--json", code=78)
            self.assertEqual(run.error["code"], "configuration")

    def test_a_making_that_was_cut_short_is_made_good(self):
        for i in range(20):
            store = os.path.join(self.root, "cut%d" % i)
            process = subprocess.Popen([program.PROGRAM, "--store", store, "init"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.001 * i)
            process.kill()
            process.wait()
            done = subprocess.run([program.PROGRAM, "--store", store, "init"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_processes_that_make_one_store_together_lose_nothing(self):
        for round_number in range(3):
            store = os.path.join(self.root, "race%d" % round_number)
            processes = [subprocess.Popen([program.PROGRAM, "--store", store, "remember",
                                           "thing number %d" % i],
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                         for i in range(8)]
            for process in processes:
                out, err = process.communicate()
                self.assertEqual(process.returncode, 0, err)
            done = subprocess.run([program.PROGRAM, "--store", store, "list", "--json"],
                                  capture_output=True, text=True)
            self.assertEqual(json.loads(done.stdout)["total"], 8)
            done = subprocess.run([program.PROGRAM, "--store", store, "verify"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_damaged_store(self):
        self.init()
        path = os.path.join(self.store, "truth.db")
        with open(path, "r+b") as file:
            file.write(b"this is no database, whatever its name says ")
        self.assertIn(self.run_store("stats", code=None).code, (2, 65))

    def test_an_unknown_agent_or_scope(self):
        self.init()
        for flags in [["--agent", "nobody"], ["--scope", "private:nobody"]]:
            run = self.run_store("recall", "tea", *flags, "--json", code=2)
            self.assertEqual(run.error["code"], "invalid_argument")
            self.assertIn("nobody", run.error["message"])
        self.assertEqual(len(self.ask("stats")["scopes"]), 1)  # asking made nothing

    def test_a_scope_that_looks_like_a_path_is_a_name(self):
        self.init()
        before = sorted(os.listdir(self.root))
        self.remember("tea", "--scope", "../x")
        self.assertEqual(self.texts("tea", "--scope", "group:../x"), ["tea"])
        self.assertEqual(sorted(os.listdir(self.root)), before)

    def test_a_store_on_a_read_only_disk(self):
        self.init()
        self.remember("tea in the garden")
        user = {}
        if os.getuid() == 0:  # permissions do not bind root
            os.chmod(self.root, 0o755)
            user = {"user": 65534, "group": 65534, "extra_groups": []}
        for folder, _, files in os.walk(self.store):
            for name in files:
                os.chmod(os.path.join(folder, name), 0o444)
                if user:
                    os.chown(os.path.join(folder, name), 65534, 65534)
            os.chmod(folder, 0o555)
            if user:
                os.chown(folder, 65534, 65534)
        self.addCleanup(os.chmod, self.store, 0o755)
        try:
            self.run_raw("--version", **user)
        except PermissionError:
            self.skipTest("the program cannot be run by another user")
        answer = self.run_store("recall", "tea", "--now", NOW, "--no-gate", "--json", **user).json
        self.assertEqual([r["text"] for r in answer["results"]], ["tea in the garden"])
        self.run_store("remember", "more", code=74, **user)


class Texts(ProgramTest):
    def setUp(self):
        super().setUp()
        self.init()

    def total(self):
        return self.ask("list", "--now", NOW)["total"]

    def test_invalid_utf8(self):
        self.run_store("remember", b"caf\xe9", code=65)
        self.run_store("remember", "-", stdin=b"caf\xe9", code=65)
        self.run_store("remember", "x", "--speaker", b"\xff", code=65)
        self.run_store("recall", b"\xff", code=65)
        self.assertEqual(self.total(), 0)

    def test_a_nul_byte(self):
        self.run_store("remember", "-", stdin=b"a\0b", code=65)
        file = self.write("in.jsonl", '{"content":"a\\u0000b"}\n{"content":"fine"}\n')
        self.run_store("import", file, "--now", NOW, code=65)
        self.assertEqual(self.total(), 1)

    def test_an_empty_or_blank_cue(self):
        self.remember("tea")
        for cue in ["", "   ", "\t\n", "\u3000", "\u200b"]:
            for verb in ["recall", "context", "lookup"]:
                run = self.run_store(verb, cue, "--now", NOW, "--json", code=None)
                self.assertEqual(run.code, 2, (verb, cue, run.out, run.err))

    def test_a_blank_text_to_remember(self):
        for text in ["", "   "]:
            self.run_store("remember", text, code=2)
        self.assertEqual(self.total(), 0)

    def test_a_cue_of_stop_words(self):
        self.remember("tea")
        for cue in ["the of is", "的了是", "!!!"]:
            answer = self.ask("recall", cue, "--now", NOW)
            self.assertEqual((answer["results"], answer["reason"]), ([], "no_terms"), cue)

    def test_signs_in_a_cue_have_no_meaning(self):
        self.remember("Alice 喜欢 Bob")
        for cue in ["Alice AND", "NEAR Alice", "-Alice", "\"Alice", "Alice*", "(Alice", "[Alice]",
                    "Alice')) OR true--", "Alice 喜欢 Bob"]:
            run = self.run_store("recall", "--now", NOW, "--no-gate", "--json", "--", cue)
            self.assertEqual(len(run.json["results"]), 1, cue)

    def test_a_text_of_a_megabyte(self):
        text = "needle " + "hay " * 260_000
        self.remember("-", stdin=text)
        found = self.texts("needle")
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("needle"))

    def test_a_token_of_ten_thousand_letters(self):
        token = "x" * 10_000
        self.remember("-", stdin=token + " end")
        self.assertEqual(len(self.texts(token, "--legs", "bm25")), 1)
        # A prefix and a hash, not the prefix alone; the vector leg may still find it alike.
        self.assertEqual(self.texts("x" * 9_999, "--legs", "bm25"), [])

    def test_times_out_of_the_ordinary_are_flagged(self):
        self.assertIn("future", self.remember("x", "--time", "9999")["flags"])
        self.assertIn("before_1970", self.remember("y", "--time", "1066")["flags"])
        for result in self.ask("recall", "x", "--now", NOW, "--no-gate")["results"]:
            for value in result["factors"].values():
                self.assertGreaterEqual(value, 0)
                self.assertLessEqual(value, 1)


class Data(ProgramTest):
    def setUp(self):
        super().setUp()
        self.init()

    def total(self):
        return self.ask("list", "--now", NOW)["total"]

    def test_a_bad_line_in_the_middle_of_an_import(self):
        file = self.write("in.jsonl", '{"content":"one"}\n{"content": oops\n{"content":"three"}\n')
        run = self.run_store("import", file, "--now", NOW, "--json", code=65)
        self.assertEqual((run.json["imported"], run.json["bad"]), (2, 1))
        self.assertEqual(run.json["bad_lines"][0]["line"], 2)
        self.assertIn(f"{file}:2: ", run.err)
        self.assertEqual(self.total(), 2)

    def test_an_unknown_json_key(self):
        file = self.write("in.jsonl", '{"content":"one","colour":"red"}\n')
        run = self.run_store("import", file, code=65)
        self.assertIn("colour", run.err)
        self.assertEqual(self.total(), 0)

    def test_lines_that_are_bad_in_other_ways(self):
        lines = ['{"type":"artifact","content":"x"}', '{"content":""}', '{"content":5}', '[]',
                 '{"content":"x","event_time":"soon"}', '{"content":"x","salience":7}',
                 '{"content":"x","scope":" "}', '{"content":"x","vector":[0,0]}',
                 '{"content":"x","relations":[{"subject":"a","predicate":"b"}]}',
                 '{"content":"x","relations":[{"subject":"a","predicate":"b","object":"c",'
                 '"valid_at":"2020","invalid_at":"2019"}]}',
                 '{"content":"x","artifacts":[{"kind":"fact","content":"y","valid_at":"2020",'
                 '"invalid_at":"2019"}]}']
        file = self.write("in.jsonl", "\n".join(lines) + "\n")
        run = self.run_store("import", file, "--now", NOW, "--json", code=65)
        self.assertEqual([bad["line"] for bad in run.json["bad_lines"]],
                         list(range(1, len(lines) + 1)))
        self.assertEqual(self.total(), 0)

    def test_a_line_of_invalid_utf8(self):
        file = self.write("in.jsonl", b'{"content":"caf\xe9"}\n{"content":"fine"}\n')
        self.run_store("import", file, "--now", NOW, code=65)
        self.assertEqual(self.total(), 1)

    def test_a_file_that_is_not_there_makes_no_store(self):
        self.store = self.path("fresh")
        self.run_store("import", self.path("none.jsonl"), code=66)
        self.assertFalse(os.path.exists(self.store))

    def test_an_end_before_its_beginning(self):
        made = self.remember("tea")
        self.run_store("remember", "x", "--relation", "a|b|c|2020|2019", code=65)
        self.run_store("revise", made["artifact_id"], "--valid-at", "2020", "--invalid-at", "2019",
                       code=65)
        self.assertEqual(self.total(), 1)
        self.assertEqual(len(self.ask("history", made["artifact_id"])["revisions"]), 1)

    def test_vectors_that_are_none(self):
        zeros = json.dumps([0.0] * 512)
        for vector in ["[NaN]", "[1e999]", "[]", "[1,2]", zeros, "nonsense",
                       json.dumps([1e39] + [0.0] * 511)]:
            self.run_store("remember", "x", "--vector", vector, code=65)
        self.run_store("recall", "tea", "--vector", "[1,2]", code=65)
        self.assertEqual(self.total(), 0)

    def test_understanding_without_evidence(self):
        made = self.remember("tea")
        self.run_store("revise", made["artifact_id"], "--content", "x", "--evidence", "s99-00000000",
                       code=66)
        self.assertEqual(len(self.ask("history", made["artifact_id"])["revisions"]), 1)

    def test_an_unknown_id(self):
        for verb in [["show"], ["history"], ["revise", "--content", "x"], ["retract"],
                     ["reinforce"], ["forget"]]:
            for name in ["a999-00000000", "nonsense", "../../etc/passwd"]:
                run = self.run_store(verb[0], name, *verb[1:], "--json", code=66)
                self.assertEqual(run.error["code"], "not_found")

    def test_one_unknown_id_among_good_ones_changes_nothing(self):
        made = self.remember("tea")
        self.run_store("forget", made["artifact_id"], "a999-00000000", code=66)
        self.assertEqual(self.texts("tea"), ["tea"])

    def test_nothing_to_revise(self):
        made = self.remember("tea")
        self.run_store("revise", made["artifact_id"], code=2)

    def test_two_kinds_of_use_at_once(self):
        made = self.remember("tea")
        self.run_store("reinforce", made["artifact_id"], "--spoken", "--confirmed", code=2)


if __name__ == "__main__":
    program.main()
