#!/usr/bin/env python3
"""Computes the tables of docs/formulas/ a second time, with the standard library alone.

Prints one row a line: `name input... = expected...`. Numbers are written so that they read back
exactly; a text is `x` and the hexadecimal of its UTF-8; times are microseconds since 1970. The test
oracle_test.cc reads the rows and compares with the C++ functions. Written from the pages, not from
the sources.
"""

import math
import random
import unicodedata

DAY_US = 86_400_000_000
MINUTE_US = 60_000_000
SHAPES = [1.0, 1.2, 3.0, 999.0]
rng = random.Random(20261130)


def row(name, inputs, expected):
    def text(value):
        if isinstance(value, bool):
            return str(int(value))
        if isinstance(value, (bytes, str)):
            data = value.encode("utf-8") if isinstance(value, str) else value
            return "x" + data.hex()
        return repr(value)

    print(name, *[text(v) for v in inputs], "=", *[text(v) for v in expected])


def clamp(value, low, high):
    return min(max(value, low), high)


# ---- docs/formulas/forgetting.md ----


def forgetting():
    for _ in range(300):
        salience = rng.choice([0.01, 0.5, 1.0, rng.uniform(-0.5, 1.5)])
        hits = rng.choice([0.0, 0.1, 0.6, rng.uniform(0, 20)])
        shape = rng.randrange(4)
        intensity = rng.choice([0.0, 1.0, rng.uniform(-0.5, 1.5)])
        start = rng.randrange(-10**16, 10**16)
        now = start + rng.randrange(-100 * DAY_US, 4000 * DAY_US)

        s = clamp(salience, 0.01, 1)
        stability = 30 * s * (1 + 0.5 * hits) * SHAPES[shape] * (1 + 0.5 * clamp(intensity, 0, 1))
        age = max(now - start, 0) / DAY_US
        retention = math.exp(-age / stability)
        row(
            "forgetting",
            [salience, hits, shape, intensity, start, now],
            [stability, age, retention, math.exp(-age / 14), s * retention],
        )


def hits():
    for _ in range(100):
        kind = rng.randrange(3)
        has_last = rng.random() < 0.8
        last = rng.randrange(10**15)
        at = last + rng.choice([0, 1, -1, 29, -29, 30, -30, 31, 600]) * MINUTE_US
        amount = [0.1, 0.3, 0.2][kind]
        if kind == 0 and has_last and abs(at - last) < 30 * MINUTE_US:
            amount = 0.0
        row("counted", [kind, has_last, last, at], [amount])
        minutes = max(at - last, 0) / MINUTE_US
        row("recent", [has_last, last, at], [max(1 - minutes / 30, 0.0) if has_last else 0.0])


# ---- docs/formulas/recall_score.md ----


def recall_score():
    weights = [3.0, 2.0, 1.5, 1.0, 0.5, 1.5, -2.0]
    for _ in range(200):
        factors = [rng.choice([0.0, 1.0, rng.random()]) for _ in weights]
        score = math.fsum(w * f for w, f in zip(weights, factors))
        evidence = math.fsum(w * f for w, f in zip(weights[:3], factors[:3]))
        row("seed", factors, [score, evidence])
    for _ in range(100):
        bm25 = rng.uniform(0, 30)
        best = rng.choice([0.0, -1.0, rng.uniform(0, 40)])
        row("literal", [bm25, best], [clamp(bm25 / best, 0, 1) if best > 0 else 0.0])
        cosine = rng.uniform(-1, 1)
        unrelated = rng.uniform(-0.2, 0.9)
        row("semantic", [cosine, unrelated], [clamp((cosine - unrelated) / (1 - unrelated), 0, 1)])
        cue = rng.choice(["", "joy", "fear", "喜悦"])
        item = rng.choice(["", "joy", "fear", "喜悦"])
        a, b = rng.random(), rng.random()
        row("emotion", [cue, a, item, b], [1 - abs(a - b) if cue and cue == item else 0.0])


def tags():
    names = ["work", "旅行", "family", "Work", "health"]
    for _ in range(100):
        cue = rng.choices(names, k=rng.randrange(5))
        item = rng.choices(names, k=rng.randrange(5))
        share = len(set(cue) & set(item)) / len(set(cue)) if cue else 0.0
        row("tags", [len(cue), *cue, len(item), *item], [share])


# ---- docs/formulas/fusion.md ----


def fusion():
    for _ in range(100):
        ranks = [rng.choice([0, 1, 10, rng.randrange(1000)]) for _ in range(rng.randrange(4))]
        k = rng.choice([60.0, 60.0, 1.0, 10.5])
        row("rrf", [k, len(ranks), *ranks], [math.fsum(1 / (k + r) for r in ranks if r > 0)])


# ---- docs/formulas/relevance.md ----


def word_parts(c):
    (own, prev, before, nxt, after, asks, session, speaker, when) = c[:9]
    context = (0.3 + (0.4 if asks else 0)) * prev + 0.2 * before + 0.3 * nxt + 0.15 * after
    sess = 0.2 * session
    base = own + context + sess
    f = 1.3 if speaker else 1.0
    g = 1.3 if when else 1.0
    return [own, context, sess, base * f - base, base * f * g - base * f]


def relevance():
    for case in range(60):
        pool = []
        for _ in range(rng.choice([1, 2, 7, 8, 33])):
            scores = [rng.choice([0.0, rng.uniform(0, 12)]) for _ in range(5)]
            session = rng.choice([0.0, rng.uniform(0, 20)])
            flags = [rng.random() < 0.3 for _ in range(3)]
            terms = [rng.choice([0.0, rng.random()]) for _ in range(6)]
            terms[1] = rng.choice([0.0, 0.4, 1.0])
            if case % 10 == 8:  # no word in the whole pool
                scores, session = [0.0] * 5, 0.0
            if case % 10 == 9:  # no evidence at all
                scores, session, terms = [0.0] * 5, 0.0, [0.0] * 6
            pool.append([*scores, flags[0], session, flags[1], flags[2], *terms])
        words = [word_parts(c) for c in pool]
        best_word = max(math.fsum(w) for w in words)
        parts = []
        for c, w in zip(pool, words):
            semantic, date, link, activation, tag, emotion = c[9:]
            scaled = [x / best_word if best_word > 0 else 0.0 for x in w]
            parts.append(
                scaled
                + [0.2 * semantic, date, 0.3 * link, 2 * activation ** (1 / 3), 2 / 3 * tag]
                + [0.5 * emotion]
            )
        best_sum = max(math.fsum(p) for p in parts)
        expected = []
        for p in parts:
            shares = [x / best_sum if best_sum > 0 else 0.0 for x in p]
            expected += [*shares, math.fsum(shares)]
        row("relevance", [len(pool), *[v for c in pool for v in c]], expected)
    for _ in range(100):
        r, w, f, recent = (rng.random() for _ in range(4))
        row("hybrid", [r, w, f, recent], [r + 0.1 * (2 * w + f) / 3 - 0.2 * recent])


def terms():
    for _ in range(150):
        first = rng.randrange(-10**16, 10**16)
        length = rng.choice([1, DAY_US, DAY_US + 1, 30 * DAY_US])
        end = first + length
        time = rng.choice(
            [first - 1, first, end - 1, end, end + 7 * DAY_US - 1, end + 7 * DAY_US, first + 2 * DAY_US]
        )
        value = 0.0
        if first <= time < end:
            value = 1.0 if length <= DAY_US else 0.4
        elif end <= time < end + 7 * DAY_US:
            value = 0.4
        row("date", [time, first, end], [value])
    for turns in range(8):
        row("link", [turns], [0.8**turns if turns <= 4 else 0.0])


# ---- docs/formulas/gate.md ----


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def gate():
    for _ in range(50):
        top = rng.uniform(0, 6.5)
        row("item_gate", [top], [max(0.5, 0.3 * top)])
        idf = [rng.uniform(0, 9) for _ in range(rng.randrange(9))]
        present = [rng.random() < 0.5 for _ in idf]
        total = math.fsum(idf)
        hit = math.fsum(v for v, p in zip(idf, present) if p)
        flat = [v for pair in zip(idf, present) for v in pair]
        row("coverage", [len(idf), *flat], [hit / total if total else 0.0])
    cues = ["", "a", "foobar", "Alice 喜欢什么"] + [f"cue {i} 问题" for i in range(300)]
    for cue in cues:
        row("explores", [cue], [fnv1a(cue.encode("utf-8")) % 10 == 0])


# ---- docs/formulas/disclosure.md ----


def disclosure():
    for _ in range(400):
        kind = rng.randrange(3)  # public, private, group
        (has_session, same, in_scope, has_subject, known, viewer, agent, own) = (
            rng.random() < 0.5 for _ in range(8)
        )
        sensitivity, rel = rng.choice([0.0, rng.random()]), rng.random()
        affinity = 1.0
        if has_session and not same and kind != 0:
            affinity = 0.85 if in_scope else [None, 0.1, 0.5][kind]
        fit = 1.0
        if has_subject and known and not viewer:
            fit = 0.85 if agent else (0.3 if kind == 1 else 0.7)
        prior = [1.0, 1.0 if own else 0.4, 0.85][kind]
        topic = 0.7 + 0.3 * rel
        score = affinity * fit * prior * (1 - sensitivity) * topic
        level = 0 if score >= 0.4 else 1 if score >= 0.2 else 2 if score >= 0.05 else 3
        row(
            "disclosure",
            [kind, has_session, same, in_scope, has_subject, known, viewer, agent, own, sensitivity, rel],
            [affinity, fit, prior, 1 - sensitivity, topic, score, level],
        )


# ---- docs/formulas/budget.md ----


def is_one_token_script(c):
    name = unicodedata.name(c, "")
    return name.startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "HALFWIDTH KATAKANA"))


def kind_of(c):
    if c.isspace():
        return "space"
    if is_one_token_script(c):
        return "sign"
    category = unicodedata.category(c)
    if category == "Nd":
        return "digit"
    return "letter" if category[0] in "LM" else "sign"


def estimate(text):
    tokens = 0
    i = 0
    while i < len(text):
        kind = kind_of(text[i])
        end = i
        while end < len(text) and kind_of(text[end]) == kind:
            end += 1
        run = end - i
        tokens += {"space": 0, "sign": run, "digit": -(-run // 3), "letter": -(-run // 4)}[kind]
        i = end
    return tokens


def tokens():
    alphabets = [
        "abcdefghijklmnopqrstuvwxyz",
        "ABCXYZàéîõüßñçøœŁžșğ",
        "абвгдежзийклмн",
        "αβγδεζηθάέ",
        "אבגדהו",
        "ابتثجحخد",
        "कखगघङच",
        "กขคงจ",
        "0123456789",
        "٠١٢٣٤",
        " \t\n\u3000\u00a0",
        ".,;:!?-_/@#\"'()[]{}",
        "，。！？、「」《》…—",
        "我喜欢在周末去爬山记忆",
        "ひらがなカタカナ漢字",
        "한국어안녕하세요",
        "😀🎉👍❤",
        "ＡＢｃ１２",
        "e\u0301n\u0303",
    ]
    for _ in range(500):
        text = ""
        for _ in range(rng.randrange(8)):
            text += "".join(rng.choices(rng.choice(alphabets), k=rng.randrange(1, 12)))
        row("tokens", [text], [estimate(text)])


def main():
    for table in (forgetting, hits, recall_score, tags, fusion, relevance, terms, gate, disclosure, tokens):
        table()


if __name__ == "__main__":
    main()
