#!/usr/bin/env bash
# Whether the walk of `leapnote` adds recall to the proposals of its concept step: the rule and the data, fixed before anything is measured.
# Both lists are fused by rank. Ranked together by the proposals' own log-odds, as `leapnote` serves them, no walk could enter a full list.
#
#   OUT=/runs bash assets/training/go_or_no_go.sh
#   OUT=/runs TRAIN=mine.jsonl TEST=unmet.jsonl GRAPH=kg bash assets/training/go_or_no_go.sh
#   OUT=/runs SCORER=two-tower TRAIN=mine.jsonl TEST=unmet.jsonl bash assets/training/go_or_no_go.sh
#
# PREREGISTERED
# Data      synthetic pairs of seed 11, which nothing was trained or measured on before. Thirteen scenarios, none of those that the cards leave
#           out, go to no training; their pairs are the test. Or TRAIN, whose pairs of the splits train and validation are learned from, and
#           TEST, all of whose pairs are the test; without TEST those of TRAIN's split test.
# Graph     the one that is set, or GRAPH, the name or folder of an import whose concepts were encoded (knowledge load graph).
# Policies  preset leapnote, five training seeds on the same pairs.
# Go        recall of walk and proposals, fused by rank, minus that of the proposals alone, common order, is above 0 beyond the 95 % interval of a two-level
#           bootstrap over seeds and notes at 10, 20, 30 and 50, and the fused list needs 30 % fewer concepts for the recall of as many
#           proposals, beyond the interval. Else no go. `evaluate paths` prints which, with the differences and the concepts needed.
# Scorer    with SCORER another kind of concept step (train gro --scorer) is trained beside, on the same pairs and seeds, and its proposals go
#           over those of the first by the same rule, each set against the other's in place of walk and proposals (evaluate paths --over).
# What was interrupted is taken up again with the same OUT; the pairs are linked once for all seeds.
set -euo pipefail

: "${OUT:?folder of the runs}"
PYTHON=${PYTHON:-.venv/bin/python}
TRAIN=${TRAIN:-}
TEST=${TEST:-}
GRAPH=${GRAPH:-}
PAIRS=${PAIRS:-2400}
SEEDS=${SEEDS:-1 2 3 4 5}
SCORER=${SCORER:-}
MORE=${MORE:-}   # further flags of train gro, for a rehearsal
LIMIT=${LIMIT:-200}
HELD_OUT="alcohol-withdrawal aortic-dissection c-difficile-colitis cholecystitis diverticulitis heart-block-pacemaker hyponatremia kidney-stone
limb-ischemia pneumothorax septic-arthritis subarachnoid-hemorrhage thyrotoxicosis"

leapnote() { echo "+ $*" >&2; "$PYTHON" -m backend "$@"; }

mkdir -p "$OUT"
split=all
if [ -n "$TRAIN" ]; then
    [ -n "$TEST" ] || { TEST=$TRAIN; split=test; }
else
    TRAIN=$OUT/pairs.jsonl
    [ -f "$TRAIN" ] || leapnote pairs synthetic --n "$PAIRS" --seed 11 --out "$TRAIN" $(printf -- '--hold-out %s ' $HELD_OUT)
    TEST=${TEST:-$OUT/unmet.jsonl}
    [ "$TEST" != "$OUT/unmet.jsonl" ] || grep held_out_scenario "$TRAIN" > "$TEST"
fi

policies=() linked= graph=() over=()
[ -z "$SCORER" ] || over=(--over "$SCORER=leapnote")
[ -z "$GRAPH" ] || graph=(--graph "$GRAPH")
for seed in $SEEDS; do
    for name in leapnote $SCORER; do
        run=$OUT/$name-$seed scorer=()
        [ "$name" = leapnote ] || scorer=(--scorer "$name")
        mkdir -p "$run"
        [ -z "$linked" ] || cp -n "$linked"/examples-*.npz "$run/"
        leapnote train gro --pairs "$TRAIN" "${graph[@]}" --preset leapnote --seed "$seed" --name "$name-$seed" --out "$run" \
            "${scorer[@]}" $MORE
        policies+=(--policy "$name#$seed=$run/checkpoint")
        linked=$run
    done
done
leapnote evaluate paths --pairs "$TEST" --split "$split" --training "$TRAIN" "${graph[@]}" --limit "$LIMIT" --no-variants \
    --retrievers popularity --retrievers two-hop "${policies[@]}" "${over[@]}" --out "$OUT/results"
