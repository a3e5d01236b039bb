#!/usr/bin/env bash
# Whether the walk of `leapnote` adds recall to the proposals of its concept step: the rule and the data, fixed before anything is measured.
#
#   OUT=/runs bash assets/training/go_or_no_go.sh
#
# PREREGISTERED
# Data      synthetic pairs of seed 11, which nothing was trained or measured on before. Thirteen scenarios, none of those that the cards leave
#           out, go to no training; their pairs are the test.
# Policies  preset leapnote, five training seeds on the same pairs.
# Go        recall of walk plus proposals minus that of the proposals alone, common order, is above 0 beyond the 95 % interval of a two-level
#           bootstrap over seeds and notes at 10, 20, 30 and 50. Else no go. `evaluate paths` prints which, with the differences.
# What was interrupted is taken up again with the same OUT; the pairs are linked once for all seeds.
set -euo pipefail

: "${OUT:?folder of the runs}"
PYTHON=${PYTHON:-.venv/bin/python}
PAIRS=${PAIRS:-2400}
SEEDS=${SEEDS:-1 2 3 4 5}
MORE=${MORE:-}   # further flags of train gro, for a rehearsal
LIMIT=${LIMIT:-200}
HELD_OUT="alcohol-withdrawal aortic-dissection c-difficile-colitis cholecystitis diverticulitis heart-block-pacemaker hyponatremia kidney-stone
limb-ischemia pneumothorax septic-arthritis subarachnoid-hemorrhage thyrotoxicosis"

leapnote() { echo "+ $*" >&2; "$PYTHON" -m backend "$@"; }

mkdir -p "$OUT"
[ -f "$OUT/pairs.jsonl" ] || leapnote pairs synthetic --n "$PAIRS" --seed 11 --out "$OUT/pairs.jsonl" $(printf -- '--hold-out %s ' $HELD_OUT)
grep held_out_scenario "$OUT/pairs.jsonl" > "$OUT/unmet.jsonl"

policies=() linked=
for seed in $SEEDS; do
    run=$OUT/leapnote-$seed
    mkdir -p "$run"
    [ -z "$linked" ] || cp -n "$linked"/examples-*.npz "$run/"
    leapnote train gro --pairs "$OUT/pairs.jsonl" --preset leapnote --seed "$seed" --name "leapnote-$seed" --out "$run" $MORE
    policies+=(--policy "leapnote#$seed=$run/checkpoint")
    linked=$run
done
leapnote evaluate paths --pairs "$OUT/unmet.jsonl" --split all --training "$OUT/pairs.jsonl" --limit "$LIMIT" --no-variants \
    --retrievers popularity "${policies[@]}" --out "$OUT/results"
