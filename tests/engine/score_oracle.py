"""The measures, written a second time from their definitions, against the library on random runs;
and against trec_eval itself where it is installed. usage: score_oracle.py SCORE_PRINTER"""

import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

MEASURES = ["nDCG@1", "nDCG@5", "nDCG@10", "R@1", "R@5", "R@10", "P@1", "P@5", "P@10", "RR",
            "RR@3", "AP", "Success@1", "Success@5", "recall_all@5", "recall_all@10"]
TREC_EVAL = {"nDCG@5": "ndcg_cut_5", "nDCG@10": "ndcg_cut_10", "R@5": "recall_5",
             "R@10": "recall_10", "P@5": "P_5", "P@10": "P_10", "RR": "recip_rank", "AP": "map",
             "Success@1": "success_1", "Success@5": "success_5"}


def random_case(rng):
    """Few distinct scores, so that ties are common; grades from -1 to 3; ids of unequal length."""
    documents = [f"{rng.choice('adz')}{rng.randrange(120)}" for _ in range(60)]
    documents = sorted(set(documents))
    qrels, run = {}, {}
    for q in range(12):
        query = f"q{q}"
        judged = rng.sample(documents, rng.randrange(1, 15))
        qrels[query] = {d: rng.choice([-1, 0, 0, 1, 1, 2, 3]) for d in judged}
        if rng.random() < 0.15:
            continue  # missing
        ranked = rng.sample(documents, rng.randrange(1, len(documents)))
        # Sixteenths are exact as floats too, as trec_eval may keep them.
        run[query] = [(d, rng.randrange(-20, 40) / 16) for d in ranked]
    run["unjudged"] = [(documents[0], 1.0)]
    return qrels, run


def value(measure, grades, lines):
    name, _, cut = measure.partition("@")
    # The order of trec_eval: score descending, then id descending.
    by_id = sorted(lines, key=lambda line: line[0].encode(), reverse=True)
    ranking = [d for d, _ in sorted(by_id, key=lambda line: -line[1])]
    top = ranking[:int(cut)] if cut else ranking
    relevant = {d for d, grade in grades.items() if grade >= 1}
    if not relevant:
        return 0.0
    hits = [d in relevant for d in top]
    if name == "nDCG":
        def dcg(gains):
            return sum(gain / math.log(rank + 1, 2) for rank, gain in enumerate(gains, 1))
        ideal = sorted((g for g in grades.values() if g > 0), reverse=True)[:int(cut)]
        return dcg([max(grades.get(d, 0), 0) for d in top]) / dcg(ideal)
    if name == "R":
        return sum(hits) / len(relevant)
    if name == "P":
        return sum(hits) / int(cut)
    if name == "RR":
        return 1 / (hits.index(True) + 1) if True in hits else 0.0
    if name == "AP":
        return sum(sum(hits[:i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit) / len(relevant)
    if name == "Success":
        return float(any(hits))
    if name == "recall_all":
        return float(relevant <= set(top))
    raise ValueError(measure)


def expected(qrels, run):
    table = {}
    for measure in MEASURES:
        values = {q: value(measure, grades, run.get(q, [])) for q, grades in qrels.items()}
        table.update({(measure, q): v for q, v in values.items()})
        table[measure, "all"] = sum(values.values()) / len(values)
    return table


def write(folder, qrels, run, rng):
    qrels_lines = [f"{q} 0 {d} {g}\n" for q, grades in qrels.items() for d, g in grades.items()]
    run_lines = [f"{q} Q0 {d} {i} {s} t\n" for q, lines in run.items()
                 for i, (d, s) in enumerate(lines)]
    rng.shuffle(qrels_lines)
    (folder / "qrels").write_text("".join(qrels_lines))
    (folder / "run").write_text("".join(run_lines))


def compare_with_trec_eval(program, folder, table):
    output = subprocess.run(
        [program, "-c", "-M", "100000", "-m", "all_trec", str(folder / "qrels"),
         str(folder / "run")], check=True, capture_output=True, text=True).stdout
    means = {line.split()[0]: float(line.split()[2]) for line in output.splitlines()
             if line.split()[1] == "all" and line.split()[0] != "runid"}
    for ours, theirs in TREC_EVAL.items():
        # Four digits are all that it prints.
        assert abs(means[theirs] - table[ours, "all"]) <= 5.1e-5, (ours, means[theirs])


def main():
    printer = sys.argv[1]
    trec_eval = shutil.which("trec_eval")
    if trec_eval is None:
        print("notice: trec_eval is not installed; compared with the oracle alone")
    checked = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(40):
            rng = random.Random(seed)
            qrels, run = random_case(rng)
            write(folder, qrels, run, rng)
            table = expected(qrels, run)
            output = subprocess.run([printer, folder / "qrels", folder / "run", *MEASURES],
                                    check=True, capture_output=True, text=True).stdout
            got = {}
            for line in output.splitlines():
                measure, query, number = line.split()
                got[measure, query] = float(number)
            assert got.keys() == table.keys(), (seed, got.keys() ^ table.keys())
            for key, want in table.items():
                assert abs(got[key] - want) < 1e-12, (seed, key, got[key], want)
                checked += 1
            if trec_eval is not None:
                compare_with_trec_eval(trec_eval, folder, table)
    print(f"{checked} values agree")


if __name__ == "__main__":
    main()
