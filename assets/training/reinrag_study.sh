#!/usr/bin/env bash
# ReinRAG on MIMIC-IV-Note and UMLS: the whole study, fixed before anything is measured. A group that holds the licences runs it unchanged.
#
#   META=/umls/META NOTES=/mimic/note/discharge.csv.gz MODELS="vllm:mistralai/Mistral-7B-Instruct-v0.3 vllm:meta-llama/Llama-3.1-8B-Instruct" \
#   OUT=/study bash assets/training/reinrag_study.sh
#
# PREREGISTERED
# Data      3,000 notes to train with and 1,000 to test with, split by patient with seed 0 (paper, 3.1). In place of NOTES, DI names the folder
#           of MIMIC-IV-Note-Ext-DI (train.json, valid.json, test.json), whose own splits stay and name no patient; or PAIRS a file of pairs.
# Graph     UMLS, SNOMEDCT_US, the 107 relations of DR.KNOWS, 15 semantic groups; names by SapBERT (768 dimensions, 64 tokens), whole notes by
#           the embedded encoder.
# Policy    preset reinrag: T 5, gamma 0.1, lambda 10, G 10, batch 48, 500 epochs, actions drawn (C.2). Five training seeds in every arm.
# Arms      full; without leaps, retrained; without exploration (entropy 0), retrained; G of 1, 5 and 20.
# Writers   the models of MODELS, by the paper's prompt (C.3) with one worked example from the training pairs, the same in every arm and
#           seed, temperature 0; conditions off. A text from each of ten draws of a sampled arm's paths; its scores are averaged.
# Main      concept recall and F1 as printed, new-concept recall: reinrag minus no-retrieval, minus sim1hop and minus drknows, 95 % intervals of
#           a two-level bootstrap over training seeds and notes. "Beyond chance" is an interval without 0. Nothing else is a claim.
# Walk      concepts alone at 10, 20, 30 and 50, own and common order, against one and two hops, dense neighbours and the popularity prior, by
#           a two-level bootstrap over seeds and notes.
# Go        preset leapnote, five seeds: recall of walk and proposals, fused by rank, minus proposals alone, common order, above 0 beyond the
#           interval at every budget. Else the documents say that the walk adds nothing. The result says which, whatever it is.
# Told      every arm, every seed, every failure. No arm is added or left out after the first result.
set -euo pipefail

: "${OUT:?folder of the study}" "${MODELS:?settings of the writers, by spaces}"
PYTHON=${PYTHON:-.venv/bin/python}
SEEDS=${SEEDS:-1 2 3 4 5}
ROLLOUTS=${ROLLOUTS-1 5 20}
EPOCHS=${EPOCHS:-500}
DRAWS=${DRAWS:-10}
LIMIT=${LIMIT:-}   # a rehearsal on few notes; a study leaves it empty
PAIRS=${PAIRS:-$OUT/pairs.jsonl}
export LEAPNOTE_DATA=$OUT/data LEAPNOTE_NAME_ENCODER=${LEAPNOTE_NAME_ENCODER-sapbert} LEAPNOTE_GRAPH=${LEAPNOTE_GRAPH:-umls}

leapnote() { echo "+ $*" >&2; "$PYTHON" -m backend "$@"; }
train() { # name, seed, what differs from the preset
    local name=$1 seed=$2; shift 2
    leapnote train gro --pairs "$PAIRS" --seed "$seed" --epochs "$EPOCHS" --name "$name" --out "$OUT/runs/$name-$seed" "$@"
}
size=(${SIZES:---train 3000 --test 1000}) # a rehearsal on few notes names others
few=(${LIMIT:+--limit "$LIMIT"})

# 1. graph and pairs
[ -d "$OUT/data/graphs" ] || leapnote knowledge add umls --from "${META:?the folder of MRCONSO.RRF}" --name umls --relation-list drknows
[ "${LEAPNOTE_GRAPH%-with-starter}" = "$LEAPNOTE_GRAPH" ] || leapnote knowledge load graph umls --with-starter
if [ ! -f "$PAIRS" ] && [ -n "${DI:-}" ]; then
    leapnote pairs mimic-di --from "$DI" --out "$PAIRS" --seed 0 "${size[@]}"
elif [ ! -f "$PAIRS" ]; then
    leapnote pairs mimic --from "${NOTES:?discharge.csv.gz, or set DI}" --out "$PAIRS" --seed 0 "${size[@]}"
fi
leapnote pairs check "$PAIRS"
leapnote pairs statistics "$PAIRS"                                                # Table 4

# 2. policies: each is taken up where it was interrupted
for seed in $SEEDS; do
    train reinrag "$seed" --preset reinrag
    train no-leaps "$seed" --preset reinrag --leaps no
    train no-exploration "$seed" --preset reinrag --entropy-start 0 --entropy-end 0
    train leapnote "$seed" --preset leapnote
    for g in $ROLLOUTS; do train "reinrag-g$g" "$seed" --preset reinrag --rollouts "$g"; done
done

# 3. concepts alone: Figures 1, 3 and 4, and the go or no-go
arms=()
for seed in $SEEDS; do
    for name in reinrag no-leaps no-exploration leapnote; do
        arms+=(--policy "$name#$seed=$OUT/runs/$name-$seed/checkpoint")
    done
    for g in $ROLLOUTS; do arms+=(--policy "reinrag#$seed@G=$g=$OUT/runs/reinrag-g$g-$seed/checkpoint"); done
done
leapnote evaluate paths --pairs "$PAIRS" --no-variants "${arms[@]}" "${few[@]}" --out "$OUT/results" --html

# 4. what models write: Table 1, Figures 3 and 4 in the words of texts. One run a model holds every arm and seed, so that all share the notes,
# the worked example and the bootstrap. A second one varies the number of paths.
written=() full=()
for seed in $SEEDS; do
    full+=(--policy "reinrag#$seed=$OUT/runs/reinrag-$seed/checkpoint")
    for name in no-leaps no-exploration; do written+=(--policy "$name#$seed=$OUT/runs/$name-$seed/checkpoint"); done
    for g in $ROLLOUTS; do written+=(--policy "reinrag#$seed@G=$g=$OUT/runs/reinrag-g$g-$seed/checkpoint"); done   # Figure 3b
done
for model in $MODELS; do
    export LEAPNOTE_GENERATOR=$model
    leapnote evaluate table1 --pairs "$PAIRS" --systems no-retrieval,random1hop,sim1hop,drknows "${full[@]}" "${written[@]}" \
        "${few[@]}" --draws "$DRAWS" --out "$OUT/results" --html
    leapnote evaluate table1 --pairs "$PAIRS" --systems no-retrieval "${full[@]}" "${few[@]}" --draws "$DRAWS" --out "$OUT/results" --html \
        --vary paths=1,3,5,20                                                      # Figure 3c
done
