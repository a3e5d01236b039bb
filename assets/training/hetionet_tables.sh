#!/usr/bin/env bash
# Hetionet's nodes and edges as tables that `knowledge add tsv` reads; nodes without an edge are left out.
#
#   bash assets/training/hetionet_tables.sh HETIONET OUT && python -m backend knowledge add tsv --from OUT --name hetionet
#
# HETIONET holds edges-*.sif.gz (or hetionet-v1.0-edges.sif.gz) and hetnet/tsv/*nodes.tsv.
set -euo pipefail

from=${1:?folder of Hetionet} to=${2:?folder of the tables}
GROUPS_OF="Anatomy=ANAT,Biological Process=PHYS,Cellular Component=ANAT,Compound=CHEM,Disease=DISO,Gene=GENE,Molecular Function=PHYS,\
Pathway=PHYS,Pharmacologic Class=CHEM,Side Effect=DISO,Symptom=DISO"

mkdir -p "$to"
{ printf 'head\trelation\ttail\n'; cat "$from"/*edges*.sif.gz | gzip -dc | grep -v '^source'; } > "$to/edges.tsv"
awk -F '\t' -v OFS='\t' -v kinds="$GROUPS_OF" '
    BEGIN {
        n = split(kinds, pairs, ",")
        for (i = 1; i <= n; i++) { split(pairs[i], one, "="); group[one[1]] = one[2] }
        print "id", "name", "group"
    }
    { sub(/\r$/, "") }
    NR == FNR { used[$1]; used[$3]; next }
    FNR > 1 && ($1 in used) { print $1, $2, group[$3] }' "$to/edges.tsv" "$from"/hetnet/tsv/*nodes.tsv > "$to/concepts.tsv"
