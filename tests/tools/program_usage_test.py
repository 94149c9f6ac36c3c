"""What the program says without a store: help, usage errors, where it looks for a store."""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import program
from program import ProgramTest

VERBS = ["init", "import", "remember", "recall", "context", "recent", "lookup", "timeline", "show",
         "history", "list", "revise", "retract", "reinforce", "forget", "verify", "reindex",
         "maintain", "stats"]
EVAL = [["eval", "run"], ["eval", "score"]]


class Help(ProgramTest):
    def test_alone_it_lists_every_verb(self):
        run = self.run_raw()
        self.assertEqual(run.code, 0)
        for verb in VERBS + ["eval run", "eval score"]:
            self.assertRegex(run.out, rf"(?m)^  {verb}  +\w")

    def test_every_verb_explains_itself_with_two_commands(self):
        for verb in [[name] for name in VERBS] + EVAL:
            run = self.run_raw(*verb, "--help")
            self.assertEqual(run.code, 0, verb)
            self.assertIn("Usage: souvenance " + " ".join(verb), run.out)
            examples = run.out.split("EXAMPLES\n")[1].splitlines()
            self.assertEqual(len(examples), 2, verb)
            for example in examples:
                self.assertTrue(example.startswith("  souvenance "), example)
            self.assertEqual(run.err, "")

    def test_help_shows_defaults(self):
        out = self.run_raw("recall", "--help").out
        self.assertRegex(out, r"-k N .*\(default 10\)")
        self.assertRegex(out, r"--preset \S+ .*\(default hybrid\)")

    def test_help_is_a_verb_too(self):
        self.assertEqual(self.run_raw("help", "recall").out, self.run_raw("recall", "--help").out)

    def test_every_flag_is_documented(self):
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/cli.md")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for verb in [[name] for name in VERBS] + EVAL:
            self.assertRegex(text, rf"(?m)^### {' '.join(verb)}\b")
            for flag in re.findall(r"(?m)^  (?:-\w,)?(--?[\w-]+)", self.run_raw(*verb, "--help").out):
                self.assertTrue(re.search(rf"`(-\w`, `)?{flag}[ `]", text), f"{verb} {flag}")

    def test_version(self):
        self.assertRegex(self.run_raw("--version").out, r"^souvenance \d+\.\d+\.\d+\n$")


class Usage(ProgramTest):
    def usage(self, *args):
        run = self.run_raw("--store", self.store, *args)
        self.assertEqual(run.code, 2, f"{args}: {run.err}")
        self.assertEqual(run.out, "")
        self.assertFalse(os.path.exists(self.store), args)
        return run.err

    def test_an_unknown_verb_gets_a_suggestion(self):
        self.assertIn("did you mean recall?", self.usage("recal", "tea"))
        self.assertIn("did you mean score?", self.usage("eval", "scoer", "a", "b"))
        self.assertIn("lists the verbs", self.usage("frobnicate"))

    def test_an_unknown_flag_gets_a_suggestion(self):
        self.assertIn("did you mean --scope?", self.usage("recall", "tea", "--scop", "public"))
        self.assertIn("did you mean --scope?", self.usage("recall", "--scop=public"))
        self.assertIn("did you mean --salience?", self.usage("remember", "x", "--saliance", "1"))

    def test_a_verbs_flag_before_the_verb_is_explained(self):
        self.assertIn("belongs after the verb", self.usage("--scope", "public", "recall", "tea"))

    def test_a_forgotten_value_does_not_swallow_a_flag(self):
        self.assertIn("a value is missing before --json", self.usage("recall", "x", "--scope", "--json"))

    def test_a_second_text_is_refused(self):
        self.assertIn("quotes", self.usage("recall", "green", "tea"))

    def test_something_missing_is_named(self):
        self.assertIn("CUE is missing", self.usage("recall"))
        self.assertIn("--session is missing", self.usage("recent"))
        self.assertIn("say what to do", self.usage("eval"))

    def test_absurd_numbers_get_the_range(self):
        for k in ["0", "-1", "1000000000", "10.5", "ten", ""]:
            self.assertIn("from 1 to 10000", self.usage("recall", "tea", "-k", k))
        self.assertIn("from 0 to 4", self.usage("lookup", "tea", "--hops", "9"))
        self.assertIn("from 0 to 1", self.usage("recall", "tea", "--b", "nan"))

    def test_a_date_that_is_none(self):
        for flag in ["--now", "--as-of", "--known-at", "--since", "--until"]:
            for text in ["yesterday", "2023-02-30", "2023-13", "", "2023-05-08T25:00:00Z"]:
                self.assertIn("is no time", self.usage("recall", "tea", flag, text))

    def test_a_choice_that_is_none_gets_a_suggestion(self):
        self.assertIn("did you mean hybrid?", self.usage("recall", "tea", "--preset", "hybird"))
        self.assertIn("did you mean bm25?", self.usage("recall", "tea", "--legs", "bm52"))
        self.assertIn("did you mean fact?", self.usage("list", "--kind", "fct"))
        self.assertIn("did you mean semantic?",
                      self.usage("eval", "run", "x", "--run", "y", "--set", "semantik=1"))

    def test_a_blank_scope_is_refused(self):
        self.assertIn("blank", self.usage("recall", "tea", "--scope", " "))
        self.assertIn("blank", self.usage("recall", "tea", "--scope", "private:"))

    def test_a_relation_needs_three_parts(self):
        self.assertIn("SUBJECT|PREDICATE|OBJECT", self.usage("remember", "x", "--relation", "a|b"))
        self.assertIn("SUBJECT|PREDICATE|OBJECT", self.usage("remember", "x", "--relation", "a||c"))

    def test_json_errors_are_one_line_on_stderr(self):
        run = self.run_raw("recall", "--json", "--scop", "x")
        self.assertEqual(run.code, 2)
        self.assertEqual(run.out, "")
        self.assertEqual(run.err.count("\n"), 1)
        self.assertTrue(run.err.startswith('{"schema":"souvenance.error/1","error":{"code":'))
        self.assertEqual(list(run.error), ["code", "message", "retryable", "hint"])
        self.assertEqual(run.error["code"], "invalid_argument")
        self.assertEqual(run.error["hint"], "did you mean --scope?")

    def test_after_two_dashes_everything_is_text(self):
        self.assertIn("one argument too many", self.usage("recall", "--", "--x", "--json"))


class WhereTheStoreIs(ProgramTest):
    def missing(self, *args, env):
        run = self.run_raw(*args, "stats", env=env)
        self.assertEqual(run.code, 66, run.err)
        return run.err

    def test_flag_then_variable_then_data_home_then_home(self):
        a, b, c, d = (self.path(name) for name in "abcd")
        env = {"SOUVENANCE_STORE": b, "XDG_DATA_HOME": c, "HOME": d}
        self.assertIn(a, self.missing("--store", a, env=env))
        self.assertIn(b, self.missing(env=env))
        env["SOUVENANCE_STORE"] = ""
        self.assertIn(os.path.join(c, "souvenance"), self.missing(env=env))
        env["XDG_DATA_HOME"] = "relative"  # to be ignored, says the specification
        self.assertIn(os.path.join(d, ".local/share/souvenance"), self.missing(env=env))

    def test_no_home_is_a_matter_of_configuration(self):
        self.assertEqual(self.run_raw("stats", env={"HOME": ""}).code, 78)


if __name__ == "__main__":
    program.main()
