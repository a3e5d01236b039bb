#!/usr/bin/env bash
# The policies that ship, trained anew on the graph that ships, with the figures of their cards.
#
#   OUT=/runs bash assets/training/shipped_policies.sh              # or with names: leapnote reinrag
#
# To be run after concepts, relations or edges of the starter graph have changed; until then the old ones are carried over, and drafts say so.
# A policy is trained on all scenarios. The figures on its card are those of a twin, trained in the same way on pairs that leave thirteen
# scenarios out, and measured on the pairs of these. What was interrupted is taken up again with the same OUT.
set -euo pipefail

: "${OUT:?folder of the runs}"
PYTHON=${PYTHON:-.venv/bin/python}
PAIRS=${PAIRS:-2400}
MORE=${MORE:-}   # further flags of train gro, for a rehearsal
LIMIT=${LIMIT:-200}
CHECKPOINTS=${CHECKPOINTS:-models/checkpoints}
HELD_OUT="acute-pancreatitis diabetic-ketoacidosis febrile-neutropenia gout-flare hip-fracture ischemic-stroke opioid-overdose pericarditis
preeclampsia pulmonary-embolism upper-gi-bleed-ulcer urinary-infection-older urosepsis-older"
NOTE="Every pair is synthetic: made by a generator, of no real patient. Real notes are another matter."

leapnote() { echo "+ $*" >&2; "$PYTHON" -m backend "$@"; }

mkdir -p "$OUT"
[ -f "$OUT/all.jsonl" ] || leapnote pairs synthetic --n "$PAIRS" --seed 0 --out "$OUT/all.jsonl"
[ -f "$OUT/heldout.jsonl" ] || leapnote pairs synthetic --n "$PAIRS" --seed 0 --out "$OUT/heldout.jsonl" $(printf -- '--hold-out %s ' $HELD_OUT)
grep held_out_scenario "$OUT/heldout.jsonl" > "$OUT/unmet.jsonl"

for name in ${*:-leapnote reinrag}; do
    leapnote train gro --pairs "$OUT/all.jsonl" --preset "$name" --out "$OUT/$name" $MORE
    leapnote train gro --pairs "$OUT/heldout.jsonl" --preset "$name" --name "$name-heldout" --out "$OUT/$name-heldout" $MORE
    mkdir -p "$CHECKPOINTS/$name"
    cp "$OUT/$name/checkpoint/weights.npz" "$OUT/$name/checkpoint/card.json" "$CHECKPOINTS/$name/"
    leapnote evaluate paths --pairs "$OUT/unmet.jsonl" --split all --training "$OUT/heldout.jsonl" --limit "$LIMIT" \
        --policy "$name=$OUT/$name-heldout/checkpoint" --into-card "$CHECKPOINTS/$name" --card-note "$NOTE" --out "$OUT/results"
done
