"""Hetionet as tables: nodes that an edge names with the group of their kind, and every edge."""

import gzip
import subprocess
from pathlib import Path

from backend.settings import ROOT
from backend.stores.graph.graph import GROUPS

SCRIPT = ROOT / "assets" / "training" / "hetionet_tables.sh"


def test_nodes_with_an_edge_have_the_group_of_their_kind_and_others_are_left_out(tmp_path: Path) -> None:
    nodes = tmp_path / "in" / "hetnet" / "tsv" / "hetionet-v1.0-nodes.tsv"
    nodes.parent.mkdir(parents=True)
    rows = ["id\tname\tkind", "Disease::1\tgout\tDisease", "Compound::2\tcolchicine\tCompound", "Gene::3\tABC1\tGene"]
    nodes.write_bytes("\r\n".join([*rows, ""]).encode())
    with gzip.open(tmp_path / "in" / "edges-5k.sif.gz", "wt") as edges:
        edges.write("source\tmetaedge\ttarget\nCompound::2\tCtD\tDisease::1\n")
    subprocess.run(["bash", str(SCRIPT), str(tmp_path / "in"), str(tmp_path / "out")], check=True)
    concepts = (tmp_path / "out" / "concepts.tsv").read_text().splitlines()
    assert concepts == ["id\tname\tgroup", "Disease::1\tgout\tDISO", "Compound::2\tcolchicine\tCHEM"]
    assert (tmp_path / "out" / "edges.tsv").read_text() == "head\trelation\ttail\nCompound::2\tCtD\tDisease::1\n"
    named = {pair.split("=")[1] for pair in SCRIPT.read_text().split('"')[1].replace("\\\n", "").split(",")}
    assert named <= {group.value for group in GROUPS}
