#!/usr/bin/env python3
"""The built-in embedder for ASCII texts, written from docs/formulas/embedder.md alone.

    hash_embedder.py STOP_WORDS_SOURCE < texts     prints one vector a line

STOP_WORDS_SOURCE is index/stop_words.cc, read for its list of English words.
Standard library only.
"""
import math
import re
import sys

DIMENSION = 512
MASK = (1 << 64) - 1


def siphash(data):
    """SipHash-2-4 with the key 00 01 ... 0f."""
    k0 = int.from_bytes(bytes(range(8)), "little")
    k1 = int.from_bytes(bytes(range(8, 16)), "little")
    v = [
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    ]

    def rotl(x, b):
        return ((x << b) | (x >> (64 - b))) & MASK

    def rounds(n):
        for _ in range(n):
            v[0] = (v[0] + v[1]) & MASK
            v[1] = rotl(v[1], 13) ^ v[0]
            v[0] = rotl(v[0], 32)
            v[2] = (v[2] + v[3]) & MASK
            v[3] = rotl(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & MASK
            v[3] = rotl(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & MASK
            v[1] = rotl(v[1], 17) ^ v[2]
            v[2] = rotl(v[2], 32)

    padded = data + b"\0" * (7 - len(data) % 8) + bytes([len(data) & 0xFF])
    for i in range(0, len(padded), 8):
        m = int.from_bytes(padded[i : i + 8], "little")
        v[3] ^= m
        rounds(2)
        v[0] ^= m
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def words(text):
    """Plain words only: letters and digits; the texts here hold no names with signs."""
    return re.findall(r"[a-z0-9]+", text.lower())


def features(text_words):
    counts = {}
    for word in text_words:
        found = ["w" + word]
        framed = "<" + word[:64] + ">"
        for size in (3, 4, 5):
            found += ["g" + framed[i : i + size] for i in range(len(framed) - size + 1)]
        for feature in found:
            counts[feature] = counts.get(feature, 0) + 1
    return counts


def embed(text, stop_words):
    all_words = words(text)
    counts = features([w for w in all_words if w not in stop_words]) or features(all_words)
    sums = [0.0] * DIMENSION
    for feature in sorted(counts):
        weight = 0.3 if feature[0] == "g" else 1.0
        value = weight * (1.0 + math.log(counts[feature]))
        digest = siphash(feature.encode())
        sums[digest % DIMENSION] += -value if digest >> 63 else value
    norm = math.sqrt(sum(s * s for s in sums))
    return [s / norm for s in sums]


def main():
    # The published vectors of SipHash-2-4 for the inputs "" and 00 01 ... 0e.
    assert siphash(b"") == 0x726FDB47DD0E0E31
    assert siphash(bytes(range(15))) == 0xA129CA6149BE45E5
    with open(sys.argv[1], encoding="utf-8") as source:
        text = source.read()
    block = text[text.index("kEnglish[]") :]
    stop_words = set(re.findall(r'"([a-z]+)"', block[: block.index("};")]))
    for line in sys.stdin:
        vector = embed(line.rstrip("\n"), stop_words)
        print(" ".join("%.9g" % x for x in vector))


if __name__ == "__main__":
    main()
