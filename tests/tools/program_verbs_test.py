"""Each verb changes, or reads back, what another verb wrote."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import program
from program import NOW, ProgramTest

# DESIGN section 10.
RECALL_KEYS = ["schema", "cue", "agent", "now", "as_of", "known_at", "preset", "legs", "results",
               "hints", "gate", "reason", "elapsed_ms"]
RESULT_KEYS = ["rank", "id", "external_id", "kind", "scope", "subject_id", "said_by", "event_time",
               "valid_at", "invalid_at", "disclosure", "text", "score", "evidence", "factors",
               "explored", "truncated", "flags", "sources"]
FACTOR_KEYS = ["literal", "context", "session", "speaker", "when", "semantic", "date", "link",
               "relevance", "tag", "emotion", "weight", "freshness", "activation", "recent"]


class Writing(ProgramTest):
    def setUp(self):
        super().setUp()
        self.init()

    def test_init_makes_what_stats_counts(self):
        stats = self.ask("stats")
        self.assertEqual(stats["schema"], "souvenance.stats/1")
        self.assertIn(("default", "public"), [(s["agent"], s["scope"]) for s in stats["scopes"]])

    def test_init_again_loses_nothing(self):
        self.remember("oolong tea")
        again = self.ask("init", "--agent", "other")
        self.assertFalse(again["made"])
        self.assertEqual(self.texts("oolong"), ["oolong tea"])
        self.assertEqual(self.texts("oolong", "--agent", "other"), [])

    def test_remember_is_recalled_with_its_evidence(self):
        text = "Alice moved to 柏林 last spring"
        made = self.remember(text, "--speaker", "Alice", "--external-id", "m1")
        answer = self.ask("recall", "柏林", "--now", NOW, "--no-gate")
        self.assertEqual(list(answer), RECALL_KEYS)
        self.assertEqual(answer["schema"], "souvenance.recall/1")
        result = answer["results"][0]
        self.assertEqual(list(result), RESULT_KEYS)
        self.assertEqual(list(result["factors"]), FACTOR_KEYS)
        self.assertEqual((result["id"], result["text"], result["said_by"], result["external_id"]),
                         (made["artifact_id"], text, "Alice", "m1"))
        source = result["sources"][0]
        self.assertEqual(list(source), ["id", "external_id", "span", "commitment"])
        self.assertEqual(source["id"], made["source_id"])
        self.assertEqual(source["span"], [0, len(text.encode("utf-8"))])
        self.assertRegex(source["commitment"], "^[0-9a-f]{64}$")

    def test_remember_reads_stdin(self):
        self.remember("-", stdin="from a pipe\n")
        self.assertEqual(self.texts("pipe"), ["from a pipe"])

    def test_remember_keeps_what_it_is_told(self):
        made = self.remember("喝茶", "--speaker", "小林", "--subject", "小林", "--session", "s1",
                             "--time", "2023-05-08T13:56:00Z", "--tag", "饮食", "--emotion", "joy:0.4",
                             "--salience", "0.7", "--sensitivity", "0.1", "--type", "reply",
                             "--memory-type", "long_term", "--shape", "pattern",
                             "--metadata", '{"page": 3}')
        item = self.ask("show", made["artifact_id"])["item"]
        self.assertEqual((item["said_by"], item["subject_id"], item["session_id"]),
                         ("小林", "小林", "s1"))
        now = item["current"]
        self.assertEqual((now["text"], now["tags"], now["salience"], now["sensitivity"]),
                         ("喝茶", ["饮食"], 0.7, 0.1))
        self.assertEqual((now["memory_type"], now["shape"]), ("long_term", "pattern"))
        self.assertEqual(now["emotion"], {"label": "joy", "intensity": 0.4})
        self.assertEqual(now["event_time"], "2023-05-08T13:56:00Z")
        source = self.ask("show", made["source_id"])["source"]
        self.assertEqual((source["text"], source["source_type"], source["metadata"]),
                         ("喝茶", "reply", {"page": 3}))

    def test_the_same_external_id_is_the_same_source(self):
        first = self.remember("one", "--external-id", "m1")
        second = self.remember("one", "--external-id", "m1")
        self.assertFalse(first["existed"])
        self.assertTrue(second["existed"])
        self.assertEqual(first["source_id"], second["source_id"])
        run = self.run_store("remember", "two", "--external-id", "m1", "--json", code=65)
        self.assertEqual(run.error["code"], "conflict")
        self.assertEqual(self.ask("list", "--now", NOW)["total"], 1)

    def test_the_same_text_without_ids_is_two_sources(self):
        self.assertNotEqual(self.remember("ok")["source_id"], self.remember("ok")["source_id"])

    def test_facts_come_back_with_their_source(self):
        made = self.remember("We went to the lake again", "--fact", "Alice likes swimming")
        self.assertEqual(len(made["artifact_ids"]), 1)
        answer = self.ask("recall", "swimming", "--now", NOW, "--no-gate", "--explain")
        self.assertEqual(answer["results"][0]["id"], made["artifact_id"])
        self.assertEqual(answer["results"][0]["explain"]["facts"], ["Alice likes swimming"])

    def test_revise_is_recalled_and_history_keeps_both(self):
        made = self.remember("Alice lives in Paris")
        identity = made["artifact_id"]
        self.ask("revise", identity, "--content", "Alice lives in Oslo", "--tag", "home",
                 "--salience", "0.9", "--reason", "moved", "--now", NOW)
        self.assertEqual(self.texts("Oslo"), ["Alice lives in Oslo"])
        self.assertEqual(self.texts("Paris", "--legs", "bm25"), [])
        revisions = self.ask("history", identity)["revisions"]
        self.assertEqual([r["text"] for r in revisions],
                         ["Alice lives in Paris", "Alice lives in Oslo"])
        self.assertEqual((revisions[1]["tags"], revisions[1]["salience"]), (["home"], 0.9))

    def test_an_empty_tag_takes_all_tags_away(self):
        made = self.remember("tea", "--tag", "drink")
        self.ask("revise", made["artifact_id"], "--tag", "", "--now", NOW)
        self.assertEqual(self.ask("show", made["artifact_id"])["item"]["current"]["tags"], [])

    def test_retract_ends_belief(self):
        made = self.remember("the earth is flat")
        self.ask("retract", made["artifact_id"], "--reason", "wrong", "--now", NOW)
        self.assertEqual(self.texts("earth"), [])
        listed = self.ask("list", "--state", "retracted", "--now", NOW)
        self.assertEqual([item["id"] for item in listed["items"]], [made["artifact_id"]])

    def test_retract_takes_relations(self):
        made = self.remember("x", "--relation", "Alice|lives_in|Berlin|2019")
        self.ask("retract", made["relation_ids"][0], "--now", NOW)
        self.assertEqual(self.ask("timeline", "Alice", "--now", "2024-07")["relations"], [])

    def test_retracting_identity_needs_a_yes(self):
        made = self.remember("I am Mira", "--memory-type", "identity")
        run = self.run_store("retract", made["artifact_id"], "--json", code=77)
        self.assertEqual(run.error["code"], "refused")
        self.assertEqual(self.texts("Mira"), ["I am Mira"])
        self.ask("retract", made["artifact_id"], "--yes", "--now", NOW)
        self.assertEqual(self.texts("Mira"), [])

    def test_forget_and_undo(self):
        made = self.remember("a green lamp")
        self.ask("forget", made["artifact_id"], "--now", NOW)
        self.assertEqual(self.texts("lamp"), [])
        self.assertEqual(self.ask("list", "--state", "forgotten", "--now", NOW)["total"], 1)
        self.ask("forget", made["artifact_id"], "--undo", "--now", NOW)
        self.assertEqual(self.texts("lamp"), ["a green lamp"])

    def test_reinforce_counts_hits(self):
        identity = self.remember("a green lamp")["artifact_id"]
        self.ask("reinforce", identity, "--confirmed", "--now", NOW)
        self.ask("reinforce", identity, "--spoken", "--now", NOW)
        # docs/formulas/forgetting.md: confirmed +0.2, spoken +0.3.
        self.assertAlmostEqual(self.ask("show", identity, "--now", NOW)["item"]["hits"], 0.5)
        uses = self.ask("history", identity, "--now", NOW)["uses"]
        self.assertEqual([use["kind"] for use in uses], ["confirmed", "spoken"])

    def test_import_jsonl(self):
        lines = [
            {"content": "Caroline went to a support group", "external_id": "D1:3",
             "session_id": "s1", "speaker_id": "Caroline", "event_time": "2023-05-08"},
            {"type": "source", "content": "小林喜欢乌龙茶", "scope": "group:家人"},
            {"type": "predicate", "name": "lives_in", "single_valued": True},
            {"type": "entity", "name": "Caroline", "entity_type": "person", "aliases": ["Caro"]},
        ]
        file = self.write("in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        answer = self.ask("import", file, "--now", NOW)
        self.assertEqual((answer["schema"], answer["imported"], answer["bad"]),
                         ("souvenance.import/1", 4, 0))
        self.assertEqual(self.texts("support group"), ["Caroline went to a support group"])
        self.assertEqual(self.texts("乌龙茶", "--scope", "group:家人"), ["小林喜欢乌龙茶"])
        again = self.ask("import", file, "--now", NOW)
        self.assertEqual(again["imported"] + again["existed"], 4)
        self.assertEqual(self.ask("list", "--now", NOW)["total"], 1)

    def test_import_chat(self):
        file = self.write("chat.jsonl",
                          '{"role":"user","content":"I adopted a cat","timestamp":"2023-05-08T10:00:00Z"}\n'
                          '{"role":"assistant","content":"What is it called?","timestamp":"2023-05-08T10:00:05Z"}\n')
        self.assertEqual(self.ask("import", file, "--format", "chat", "--now", NOW)["imported"], 2)
        self.assertIn("I adopted a cat", self.texts("cat"))

    def test_import_beir_with_triples(self):
        self.write("set/corpus.jsonl",
                   '{"_id":"d1","title":"The Aurora","text":"A ferry.","metadata":{"scope":"ships"}}\n'
                   '{"_id":"d2","title":"","text":"A yard in Bergen.","metadata":{"scope":"ships"}}\n')
        triples = self.write("set/triples.jsonl",
                             '{"doc":"d1","triples":[["Aurora","built_in","Bergen"]]}\n')
        answer = self.ask("import", self.path("set"), "--format", "beir", "--triples", triples,
                          "--now", NOW)
        self.assertEqual(answer["imported"], 2)
        timeline = self.ask("timeline", "Aurora", "--scope", "ships")
        self.assertEqual(timeline["relations"][0]["object"], "Bergen")
        again = self.ask("import", self.path("set"), "--format", "beir", "--triples", triples,
                         "--now", NOW)
        self.assertEqual((again["imported"], again["existed"]), (0, 2))

    def test_import_locomo(self):
        file = self.write("locomo.json", json.dumps([{
            "sample_id": "conv-1",
            "conversation": {
                "speaker_a": "Ann", "speaker_b": "Ben",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a parrot"},
                              {"speaker": "Ben", "dia_id": "D1:2", "text": "Lovely!"}]}}]))
        self.assertEqual(self.ask("import", file, "--format", "locomo", "--now", NOW)["imported"], 2)
        found = self.ask("recall", "parrot", "--scope", "conv-1", "--now", NOW)["results"][0]
        self.assertEqual(found["external_id"], "conv-1:D1:1")
        self.assertEqual(found["event_time"], "2023-05-08T13:56:00Z")

    def test_a_large_import_is_sealed_at_its_end(self):
        file = self.write("many.jsonl", "".join(
            json.dumps({"content": f"entry {i} about tea"}) + "\n" for i in range(5001)))
        self.assertEqual(self.ask("import", file, "--now", NOW)["imported"], 5001)
        self.assertTrue(os.listdir(os.path.join(self.store, "index")))
        self.assertEqual(self.texts("entry 4321")[0], "entry 4321 about tea")

    def test_the_sample_answers_a_mixed_cue_with_evidence(self):
        sample = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "sample")
        self.ask("import", os.path.join(sample, "sample.en.jsonl"),
                 os.path.join(sample, "sample.zh.jsonl"), "--now", NOW)
        answers = [self.ask("recall", "Alice 喜欢什么", "--now", "2026-01-01") for _ in range(2)]
        for answer in answers:
            answer.pop("elapsed_ms")
        self.assertEqual(*answers)
        self.assertEqual(answers[0]["schema"], "souvenance.recall/1")
        self.assertTrue(answers[0]["results"])
        for result in answers[0]["results"]:
            self.assertEqual(len(result["factors"]), 15)
            self.assertEqual(result["disclosure"], "full")
            self.assertGreaterEqual(len(result["sources"]), 1)
            begin, end = result["sources"][0]["span"]
            self.assertLess(begin, end)

    def test_import_into_nothing_makes_the_store_and_says_so(self):
        self.store = self.path("fresh")
        file = self.write("in.jsonl", '{"content":"tea"}\n')
        run = self.run_store("import", file, "--now", NOW)
        self.assertIn(f"made a store at {self.store}", run.err)
        self.assertEqual(self.texts("tea"), ["tea"])


class Reading(ProgramTest):
    def setUp(self):
        super().setUp()
        self.init()

    def test_two_recalls_give_the_same_bytes(self):
        for text in ["tea with Alice", "茶和咖啡", "a walk with Alice", "Alice 喜欢乌龙茶"]:
            self.remember(text, "--speaker", "Bob", "--session", "s1")
        runs = [self.run_store("recall", "Alice 喜欢什么", "--now", NOW, "--json").bytes
                for _ in range(2)]
        strip = re.compile(rb'"elapsed_ms":[0-9.e+-]+')
        self.assertIn(b'"elapsed_ms":', runs[0])
        self.assertEqual(strip.sub(b"", runs[0]), strip.sub(b"", runs[1]))
        self.assertTrue(json.loads(runs[0])["results"])

    def test_another_scope_is_neither_seen_nor_counted(self):
        self.remember("tea in the garden")
        before = self.ask("recall", "tea", "--now", NOW)
        for i in range(20):
            self.remember(f"secret tea number {i}", "--scope", "private:alice")
        after = self.ask("recall", "tea", "--now", NOW)
        before.pop("elapsed_ms")
        after.pop("elapsed_ms")
        self.assertEqual(before, after)
        self.assertIn("secret tea number 7", self.texts("secret tea", "-k", "50", "--scope",
                                                        "private:alice"))

    def test_a_memory_of_another_scope_cannot_be_shown_or_changed(self):
        hidden = self.remember("secret", "--scope", "private:alice")["artifact_id"]
        for verb in [["show", hidden], ["history", hidden], ["revise", hidden, "--content", "x"],
                     ["forget", hidden], ["retract", hidden], ["reinforce", hidden]]:
            self.run_store(*verb, code=66)
        shown = self.ask("show", hidden, "--scope", "private:alice")
        self.assertEqual(shown["item"]["current"]["text"], "secret")

    def test_exit_status_tells_an_empty_answer(self):
        self.remember("tea")
        self.run_store("recall", "zeppelin", "--now", NOW, code=0)
        self.run_store("recall", "zeppelin", "--now", NOW, "--exit-status", code=1)
        self.run_store("recall", "tea", "--now", NOW, "--no-gate", "--exit-status", code=0)

    def test_an_empty_answer_says_why_in_words(self):
        self.assertEqual(self.ask("recall", "tea", "--now", NOW)["reason"], "empty_pool")
        self.assertIn("sees no memories", self.run_store("recall", "tea", "--now", NOW).out)
        self.remember("tea")
        self.assertIn("stop words", self.run_store("recall", "the of is", "--now", NOW).out)

    def test_the_window_is_half_open(self):
        for year in ["2021", "2022", "2023"]:
            self.remember(f"tea in {year}", "--time", f"{year}-01-01T00:00:00Z")
        # 2022 as --until means through 2022; as --since its first instant.
        self.assertEqual(sorted(self.texts("tea", "--until", "2022")), ["tea in 2021", "tea in 2022"])
        self.assertEqual(sorted(self.texts("tea", "--since", "2022")), ["tea in 2022", "tea in 2023"])
        # An instant is the end itself.
        self.assertEqual(self.texts("tea", "--until", "2022-01-01T00:00:00Z"), ["tea in 2021"])
        answer = self.ask("recall", "tea", "--since", "1990", "--until", "1991", "--now", NOW)
        self.assertEqual((answer["results"], answer["reason"]), ([], "nothing_in_window"))

    def test_known_at_asks_what_had_been_recorded(self):
        self.ask("remember", "early tea", "--now", "2023-01-01")
        self.ask("remember", "late tea", "--now", "2024-01-01")
        self.assertEqual(self.texts("tea", "--known-at", "2023-06"), ["early tea"])

    def test_explain_shows_factors_gate_and_sources(self):
        self.remember("oolong tea", "--external-id", "m1")
        out = self.run_store("recall", "oolong", "--now", NOW, "--no-gate", "--explain").out
        self.assertIn("relevance", out)
        self.assertIn("gate (", out)
        self.assertIn("(m1) bytes 0-10", out)
        self.assertNotIn("emotion", out)  # zero

    def test_trace_tells_the_stages(self):
        made = self.remember("oolong tea")
        answer = self.ask("recall", "oolong", "--now", NOW, "--trace", made["artifact_id"])
        self.assertEqual(answer["traces"][0]["id"], made["artifact_id"])
        self.assertTrue(answer["traces"][0]["steps"])

    def test_stored_text_cannot_act_on_a_terminal(self):
        self.remember("-", stdin="lamp \x1b]0;title\x07 \u009b31m \u202eevil")
        for args in [["recall", "lamp", "--no-gate"], ["list"], ["context", "lamp", "--no-gate"]]:
            out = self.run_store(*args, "--now", NOW).out
            self.assertIn("lamp", out)
            for character in ["\x1b", "\x07", "\u009b", "\u202e"]:
                self.assertNotIn(character, out)
        self.assertEqual(self.texts("lamp"), ["lamp \x1b]0;title\x07 \u009b31m \u202eevil"])

    def test_text_is_wrapped_to_columns(self):
        self.remember("tea " * 40)
        out = self.run_store("recall", "tea", "--no-gate", "--now", NOW, env={"COLUMNS": "50"}).out
        self.assertTrue(all(len(line) <= 50 for line in out.splitlines()), out)
        self.assertNotIn("\x1b", out)

    def test_a_reader_that_goes_away_is_no_failure(self):
        self.remember("tea")
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([program.PROGRAM, "--store", self.store, "stats"], stdout=writer,
                              stderr=subprocess.PIPE, timeout=60)
        os.close(writer)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_a_full_disk_behind_stdout_is_told(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([program.PROGRAM, "--store", self.store, "stats"], stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 74)
        self.assertIn(b"No space left", done.stderr)

    def test_context_stays_within_its_budget(self):
        for i in range(30):
            self.remember(f"note {i} about tea, with quite a few more words to fill the block")
        answer = self.ask("context", "tea", "--budget", "120", "--now", NOW, "--no-gate")
        self.assertEqual(list(answer), ["schema", "cue", "text", "tokens", "budget", "items",
                                        "left_out"])
        self.assertLessEqual(answer["tokens"], 120)
        self.assertIn("about tea", answer["text"])
        self.assertTrue(answer["items"][0]["sources"])
        self.assertTrue(answer["left_out"])
        text = self.run_store("context", "tea", "--budget", "120", "--now", NOW, "--no-gate").out
        self.assertEqual(text.rstrip("\n"), answer["text"].rstrip("\n"))

    def test_a_budget_of_nothing_gives_an_empty_context(self):
        self.remember("tea")
        answer = self.ask("context", "tea", "--budget", "0", "--now", NOW)
        self.assertEqual((answer["text"], answer["tokens"], answer["items"]), ("", 0, []))

    def test_recent_gives_the_last_turns_oldest_first(self):
        for i in range(5):
            self.remember(f"turn {i}", "--session", "s1", "--speaker", "Bob",
                          "--time", f"2024-05-01T10:00:0{i}Z")
        self.remember("elsewhere", "--session", "s2")
        answer = self.ask("recent", "--session", "s1", "-k", "3", "--now", NOW)
        self.assertEqual([t["text"] for t in answer["turns"]], ["turn 2", "turn 3", "turn 4"])

    def test_list_filters(self):
        self.remember("a", "--speaker", "Alice", "--tag", "x", "--session", "s1")
        self.remember("b", "--speaker", "Bob", "--subject", "Alice")
        self.remember("c", "--speaker", "Bob", "--time", "2020-01-01")

        def texts(*args):
            answer = self.ask("list", "--now", NOW, *args)
            return sorted(item["current"]["text"] for item in answer["items"])

        self.assertEqual(texts(), ["a", "b", "c"])
        self.assertEqual(texts("--said-by", "Bob"), ["b", "c"])
        self.assertEqual(texts("--about", "Alice"), ["b"])
        self.assertEqual(texts("--with-tag", "x"), ["a"])
        self.assertEqual(texts("--in-session", "s1"), ["a"])
        self.assertEqual(texts("--until", "2020"), ["c"])
        self.assertEqual(len(texts("--offset", "1", "--limit", "1")), 1)
        self.assertEqual(self.ask("list", "--limit", "1", "--now", NOW)["total"], 3)


class OnATerminal(ProgramTest):
    """Runs the program with a pseudo-terminal of 40 columns as stdout and stderr."""

    def on_terminal(self, *args, **env):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
        environment.update({"TERM": "xterm", **env})
        child = subprocess.Popen([program.PROGRAM, "--store", self.store, *args], stdout=slave,
                                 stderr=slave, env=environment)
        os.close(slave)
        seen = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            seen += part
        os.close(master)
        self.assertEqual(child.wait(timeout=60), 0, seen)
        return seen.decode("utf-8")

    def setUp(self):
        super().setUp()
        self.init()
        self.remember("我喜欢喝乌龙茶，也喜欢在周末的时候去山里走走，看看风景，然后回来写一点东西", "--speaker", "小林")

    def test_colour_and_width(self):
        recall = ["recall", "乌龙茶", "--no-gate", "--now", NOW]
        out = self.on_terminal(*recall)
        self.assertIn("\x1b[36m小林\x1b[0m", out)
        plain = self.on_terminal(*recall, NO_COLOR="1")
        self.assertNotIn("\x1b", plain)
        self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", out), plain)
        for line in plain.split("\r\n"):
            columns = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
            self.assertLessEqual(columns, 40, line)

    def test_a_dumb_terminal_has_no_colour(self):
        self.assertNotIn("\x1b", self.on_terminal("list", "--now", NOW, TERM="dumb"))

    def test_import_shows_progress_on_a_terminal_alone(self):
        file = self.write("in.jsonl", "".join(f'{{"content":"line {i}"}}\n' for i in range(3000)))
        self.assertIn("importing", self.on_terminal("import", file, "--now", NOW))
        run = self.run_store("import", file, "--now", NOW)
        self.assertEqual(run.err, "")


class Graph(ProgramTest):
    def setUp(self):
        super().setUp()
        self.init()
        self.berlin = self.remember("Alice told me about her flats",
                                    "--relation", "Alice|lives_in|Berlin|2019|2021",
                                    "--relation", "Alice|lives_in|Paris|2023")

    def objects(self, *args):
        answer = self.ask(*args)
        return sorted(r["object"] for r in answer["relations"])

    def test_lookup_knows_what_held_when(self):
        # "2021" as an end holds through 2021.
        for as_of, places in [("2018", []), ("2020", ["Berlin"]), ("2021-12-31", ["Berlin"]),
                              ("2022", []), ("2023-06", ["Paris"])]:
            self.assertEqual(self.objects("lookup", "Alice", "--as-of", as_of, "--now", NOW), places,
                             as_of)
        self.assertEqual(self.objects("lookup", "Alice", "--history", "--now", NOW),
                         ["Berlin", "Paris"])

    def test_lookup_gives_entities_and_evidence(self):
        answer = self.ask("lookup", "where is Alice?", "--as-of", "2020", "--now", NOW)
        self.assertEqual(list(answer), ["schema", "cue", "as_of", "known_at", "entities",
                                        "relations", "timeline", "passages", "evidence"])
        self.assertIn("Alice", [entity["name"] for entity in answer["entities"]])
        self.assertEqual(answer["relations"][0]["sources"][0]["id"], self.berlin["source_id"])
        self.assertIn("Alice told me about her flats", [e["text"] for e in answer["evidence"]])

    def test_timeline_tells_what_began_and_ended(self):
        answer = self.ask("timeline", "Alice", "--history", "--now", NOW)
        by_id = {r["id"]: r["object"] for r in answer["relations"]}
        told = [(e["at"][:10], e["change"], by_id[e["relation"]]) for e in answer["timeline"]]
        self.assertIn(("2019-01-01", "begins", "Berlin"), told)
        self.assertIn(("2022-01-01", "ends", "Berlin"), told)
        self.assertIn(("2023-01-01", "begins", "Paris"), told)

    def test_timeline_before_and_last(self):
        answer = self.ask("timeline", "Alice", "--before", "2022", "--last", "--history", "--now", NOW)
        self.assertEqual([r["object"] for r in answer["relations"]], ["Berlin"])
        self.assertEqual(self.objects("timeline", "Alice", "--predicate", "knows", "--history",
                                      "--now", NOW), [])

    def test_show_knows_relations_and_entities(self):
        relation = self.ask("show", self.berlin["relation_ids"][0], "--as-of", "2020")["relation"]
        self.assertEqual((relation["subject"], relation["object"]), ("Alice", "Berlin"))
        entities = self.ask("lookup", "Alice", "--as-of", "2020", "--now", NOW)["entities"]
        shown = self.ask("show", entities[0]["id"])["entity"]
        self.assertEqual(shown["name"], entities[0]["name"])

    def test_the_text_of_lookup_and_timeline_names_the_facts(self):
        for verb in ["lookup", "timeline"]:
            out = self.run_store(verb, "Alice", "--as-of", "2020", "--now", NOW).out
            self.assertIn("Alice lives_in Berlin", out)


class Upkeep(ProgramTest):
    def setUp(self):
        super().setUp()
        self.init()
        for i in range(5):
            self.remember(f"note {i} about tea")

    def test_verify_is_content_with_an_honest_store(self):
        answer = self.ask("verify")
        self.assertTrue(answer["sound"])
        self.assertIsNone(answer["first_problem"])
        self.assertGreaterEqual(answer["events"], 6)
        self.assertEqual(answer["sources"], 5)
        self.assertIn("sound", self.run_store("verify").out)

    def test_verify_finds_a_changed_payload(self):
        import sqlite3
        base = sqlite3.connect(os.path.join(self.store, "truth.db"))
        triggers = base.execute("SELECT name, sql FROM sqlite_master WHERE type='trigger'").fetchall()
        for name, _ in triggers:
            base.execute(f'DROP TRIGGER "{name}"')
        changed = base.execute("UPDATE payloads SET content = CAST('note 9 about tea' AS BLOB) "
                               "WHERE CAST(content AS TEXT) = 'note 3 about tea'").rowcount
        for _, sql in triggers:
            base.execute(sql)
        base.commit()
        base.close()
        self.assertGreaterEqual(changed, 1)
        run = self.run_store("verify", "--json", code=3)
        self.assertFalse(run.json["sound"])
        self.assertTrue(run.json["first_problem"])

    def test_maintain_makes_good_what_was_taken_away(self):
        import sqlite3
        for verb in ("maintain", "reindex"):
            base = sqlite3.connect(os.path.join(self.store, "truth.db"))
            base.execute("DELETE FROM analysed_terms")
            base.commit()
            base.close()
            self.assertEqual(self.ask(verb)["analysed"], 5)

    def test_reindex_and_maintain_change_no_answer(self):
        before = self.ask("recall", "tea", "--now", NOW)
        self.assertEqual(self.ask("reindex")["schema"], "souvenance.reindex/1")
        self.assertEqual(self.ask("maintain")["schema"], "souvenance.maintain/1")
        after = self.ask("recall", "tea", "--now", NOW)
        before.pop("elapsed_ms")
        after.pop("elapsed_ms")
        self.assertEqual(before, after)

    def test_stats_counts_what_was_remembered(self):
        stats = self.ask("stats")
        self.assertEqual(stats["counts"]["sources"], 5)
        public = [s for s in stats["scopes"] if s["scope"] == "public"][0]
        self.assertEqual(public["items"], 5)
        self.assertGreater(stats["truth_bytes"], 0)


class Evaluation(ProgramTest):
    def setUp(self):
        super().setUp()
        texts = ["green tea in the garden", "a red bicycle", "乌龙茶很好喝", "the old lighthouse"]
        self.write("set/corpus.jsonl", "".join(
            json.dumps({"_id": f"d{i}", "title": "", "text": text}) + "\n"
            for i, text in enumerate(texts)))
        self.write("set/queries.jsonl", '{"_id":"q1","text":"bicycle"}\n{"_id":"q2","text":"乌龙茶"}\n')
        self.qrels = self.write("set/qrels/test.tsv",
                                "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")

    def test_a_run_can_be_scored(self):
        out = self.path("out.run")
        run = self.run_raw("eval", "run", self.path("set"), "--run", out, "--now", NOW, "--json",
                           env={"SOUVENANCE_STORE": self.store})
        self.assertEqual(run.code, 0, run.err)
        self.assertEqual((run.json["documents"], run.json["queries"]), (4, 2))
        self.assertFalse(os.path.exists(self.store))  # never the user's own store
        with open(out, encoding="utf-8") as file:
            first = file.readline().split()
        self.assertEqual(first[:4], ["q1", "Q0", "d1", "1"])
        score = self.run_raw("eval", "score", self.qrels, out, "-m", "RR", "-m", "R@5", "--json",
                             "--by-query")
        self.assertEqual(score.code, 0, score.err)
        self.assertEqual([(m["measure"], m["mean"]) for m in score.json["measures"]],
                         [("RR", 1.0), ("R@5", 1.0)])
        self.assertEqual(score.json["measures"][0]["by_query"], {"q1": 1.0, "q2": 1.0})

    def test_score_works_by_hand(self):
        # q1: relevant at rank 2, RR 1/2; q2 is not in the run, 0. Mean 1/4.
        out = self.write("hand.run", "q1 Q0 d0 1 3.0 t\nq1 Q0 d1 2 2.0 t\n")
        answer = self.run_raw("eval", "score", self.qrels, out, "-m", "RR", "--json").json
        self.assertEqual(answer["measures"][0]["mean"], 0.25)
        self.assertEqual((answer["queries"], answer["missing"]), (2, 1))

    def test_what_cannot_be_scored(self):
        bad = self.write("bad.run", "q1 Q0 d0 1 nan t\n")
        self.assertEqual(self.run_raw("eval", "score", self.qrels, bad).code, 65)
        good = self.write("good.run", "q1 Q0 d0 1 1 t\n")
        self.assertEqual(self.run_raw("eval", "score", self.qrels, good, "-m", "nDGC@10").code, 2)
        self.assertEqual(self.run_raw("eval", "score", self.qrels, self.path("none")).code, 66)
        self.assertEqual(self.run_raw("eval", "run", self.path("none"), "--run",
                                      self.path("x")).code, 66)
        self.assertFalse(os.path.exists(self.path("x")))


if __name__ == "__main__":
    program.main()
