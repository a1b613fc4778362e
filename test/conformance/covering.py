"""Chooses few rows from the product of some factors so that every pair of values of two factors occurs in some row."""
import itertools


def pairwise(factors, rng):
    """factors: name -> list of values. Yields dicts name -> value; deterministic for one state of rng."""
    names = list(factors)
    if not names:
        return [{}]
    sizes = [len(factors[n]) for n in names]
    open_pairs = {(i, a, j, b) for i, j in itertools.combinations(range(len(names)), 2)
                  for a in range(sizes[i]) for b in range(sizes[j])}
    singles = [(0, a, None, None) for a in range(sizes[0])] if len(names) == 1 else []
    rows = []
    order = sorted(open_pairs)
    rng.shuffle(order)
    for seed in singles + order:
        if seed not in open_pairs and seed[2] is not None:
            continue
        row = [None] * len(names)
        row[seed[0]] = seed[1]
        if seed[2] is not None:
            row[seed[2]] = seed[3]
        rest = [k for k in range(len(names)) if row[k] is None]
        rng.shuffle(rest)
        for k in rest:
            def gain(value):
                return sum(((j, row[j], k, value) if j < k else (k, value, j, row[j])) in open_pairs
                           for j in range(len(names)) if row[j] is not None)
            start = rng.randrange(sizes[k])  # ties go round, or the first values would be worn out
            row[k] = max(((start + v) % sizes[k] for v in range(sizes[k])), key=gain)
        open_pairs -= {(i, row[i], j, row[j]) for i, j in itertools.combinations(range(len(names)), 2)}
        rows.append({n: factors[n][row[i]] for i, n in enumerate(names)})
    return rows
