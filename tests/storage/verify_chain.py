#!/usr/bin/env python3
"""Checks the chain of a store by docs/formats/chain.md alone: no code of the library.

usage: verify_chain.py STORE     prints one line an agent (name, sequence, hash); exit 3 if wrong
"""
import hashlib
import sqlite3
import struct
import sys

ZERO = bytes(32)
I, R, T, D, P, AGENT, SCOPE, PRED = "integer real text digest payload agent scope pred".split()
S, A, E, L, K = "sources", "artifacts", "entities", "relations", "skills"  # references by ordinal

# number: (table, event column, [(column, kind)])
TABLES = {
    1: ("payloads", "event_id", [("agent_id", AGENT), ("scope_id", SCOPE), ("kind", I),
                                 ("commitment", D)]),
    2: ("agents", "event_id", [("name_id", P)]),
    3: ("scopes", "event_id", [("agent_id", AGENT), ("ordinal", I), ("name_id", P)]),
    4: ("sources", "event_id",
        [("scope_id", SCOPE), ("ordinal", I), ("source_type", I)]
        + [(c, P) for c in ("content_id", "external_id", "request_id", "session_id", "said_by",
                            "subject_id", "metadata_id")]
        + [(c, I) for c in ("event_time_us", "received_us", "created_us")]),
    5: ("artifacts", "event_id", [("scope_id", SCOPE), ("ordinal", I), ("kind", I),
                                  ("verbatim", I)]),
    6: ("artifact_revisions", "event_id",
        [("artifact_id", A), ("revision", I), ("scope_id", SCOPE), ("ordinal", I), ("state", I),
         ("memory_type", I), ("shape", I)]
        + [(c, P) for c in ("content_id", "gist_id", "tags_id", "emotion_id")]
        + [(c, R) for c in ("emotion_intensity", "salience", "sensitivity", "confidence")]
        + [(c, P) for c in ("session_id", "said_by", "subject_id")]
        + [(c, I) for c in ("event_time_us", "valid_us", "invalid_us", "created_us")]),
    7: ("artifact_sources", "event_id",
        [("artifact_id", A), ("revision", I), ("position", I), ("source_id", S),
         ("begin_byte", I), ("end_byte", I)]),
    8: ("reinforcements", "event_id",
        [("scope_id", SCOPE), ("artifact_id", A), ("kind", I), ("session_id", P), ("amount", R),
         ("at_us", I)]),
    9: ("entities", "event_id", [("scope_id", SCOPE), ("ordinal", I), ("name_id", P),
                                 ("type", T)]),
    10: ("entity_aliases", "event_id", [("entity_id", E), ("name_id", P)]),
    11: ("mentions", "event_id", [("artifact_id", A), ("revision", I), ("entity_id", E),
                                  ("begin_byte", I), ("end_byte", I)]),
    12: ("predicates", "event_id", [("scope_id", SCOPE), ("name_id", P), ("revision", I),
                                    ("single_valued", I)]),
    13: ("relations", "event_id",
         [("scope_id", SCOPE), ("ordinal", I), ("origin", I), ("asserted_id", L),
          ("subject_entity_id", E), ("predicate_id", PRED), ("object_entity_id", E),
          ("valid_us", I), ("invalid_us", I), ("point", I), ("confidence", R),
          ("created_us", I)]),
    14: ("relation_sources", "event_id", [("relation_id", L), ("position", I),
                                          ("source_id", S)]),
    15: ("relations", "expired_event_id", [("id", L), ("expired_us", I)]),
}


class Wrong(Exception):
    pass


class Store:
    def __init__(self, path):
        self.db = sqlite3.connect("file:%s/truth.db?mode=ro" % path, uri=True)

    def one(self, sql, *args):
        row = self.db.execute(sql, args).fetchone()
        return row if row else (None,) * 3

    def payload(self, number):
        return self.one("SELECT commitment FROM payloads WHERE id = ?", number)[0]

    def named(self, table, number):
        return self.payload(self.one("SELECT name_id FROM %s WHERE id = ?" % table, number)[0])

    def value(self, kind, value):
        if value is None:
            return b"\0"
        if kind == I:
            return b"\1" + struct.pack(">q", value)
        if kind == R:
            return b"\2" + struct.pack(">d", value)
        if kind == T:
            data = value.encode()
            return b"\3" + struct.pack(">I", len(data)) + data
        if kind == D:
            return b"\4" + value
        if kind == P:
            return b"\4" + self.payload(value)
        if kind in (AGENT, SCOPE, PRED):
            table = {AGENT: "agents", SCOPE: "scopes", PRED: "predicates"}[kind]
            return b"\4" + self.named(table, value)
        scope, ordinal = self.one("SELECT scope_id, ordinal FROM %s WHERE id = ?" % kind,
                                  value)[:2]
        return b"\5" + self.named("scopes", scope) + struct.pack(">q", ordinal)

    def rows_digest(self, event):
        rows = []
        for number, (table, column, columns) in TABLES.items():
            names = ", ".join(name for name, _ in columns)
            for row in self.db.execute(
                    "SELECT %s FROM %s WHERE %s = ?" % (names, table, column), (event,)):
                rows.append(bytes([number]) + b"".join(
                    self.value(kind, v) for (_, kind), v in zip(columns, row)))
        digest = hashlib.sha256()
        for row in sorted(rows):
            digest.update(struct.pack(">I", len(row)) + row)
        return digest.digest()

    def check_payloads(self):
        for number, salt, content, commitment in self.db.execute(
                "SELECT id, salt, content, commitment FROM payloads"):
            if salt is not None and hashlib.sha256(salt + content).digest() != commitment:
                raise Wrong("payload %d does not match its commitment" % number)

    def check_agent(self, agent):
        previous, expected = ZERO, 1
        for (event, scope, sequence, kind, recorded, reason, content, rows, before,
             digest) in self.db.execute(
                 "SELECT id, scope_id, sequence, kind, recorded_us, reason_id, commitment,"
                 " rows_digest, previous_hash, hash FROM events WHERE agent_id = ?"
                 " ORDER BY sequence", (agent,)):
            if sequence != expected or before != previous:
                raise Wrong("event %d does not follow its predecessor" % sequence)
            if self.rows_digest(event) != rows:
                raise Wrong("event %d: the rows do not match" % sequence)
            fields = [b"\1", struct.pack(">q", sequence), bytes([kind]),
                      self.named("scopes", scope) if scope else ZERO,
                      struct.pack(">q", recorded), self.payload(reason) if reason else ZERO,
                      content, rows]
            encoding = b"".join(struct.pack(">I", len(f)) + f for f in fields)
            if hashlib.sha256(previous + encoding).digest() != digest:
                raise Wrong("event %d: the hash does not match" % sequence)
            previous, expected = digest, sequence + 1
        return expected - 1, previous


def main():
    store = Store(sys.argv[1])
    try:
        store.check_payloads()
        for agent, name in store.db.execute(
                "SELECT a.id, p.content FROM agents a JOIN payloads p ON p.id = a.name_id"
                " ORDER BY a.id").fetchall():
            sequence, head = store.check_agent(agent)
            print(name.decode(), sequence, head.hex())
    except Wrong as problem:
        print(problem)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
