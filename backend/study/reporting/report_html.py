"""The report as one HTML file that asks nobody for anything: text, tables, and figures as SVG. Prints as it is shown."""

from html import escape

from backend.study.reporting.report import Report
from backend.study.reporting.report_figures import as_svg
from backend.study.reporting.report_tables import Table

STYLE = """
:root { color-scheme: light dark; --ink: #17232b; --paper: #fff; --line: #d3dce2; --soft: #f3f6f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf1; --paper: #11181d; --line: #34434d; --soft: #1a242b; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 64rem; padding: 0 1rem; }
p { max-width: 75ch; } .small { font-size: 0.8125rem; overflow-wrap: anywhere; }
.stamp { border: 2px solid var(--ink); padding: 0.3rem 0.8rem; font-weight: 600; display: inline-block; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.875rem; margin: 0.5rem 0 1.5rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.7rem 0.25rem 0; text-align: left; vertical-align: top; }
th { background: var(--soft); } figure { margin: 1rem 0; background: #fff; padding: 0.5rem; border: 1px solid var(--line); }
figure svg { max-width: 100%; height: auto; } figure svg text { font-family: system-ui, sans-serif !important; } @media print { body { max-width: none; margin: 0; } tr, figure { break-inside: avoid; } }
"""


def as_html(report: Report) -> str:
    """The page. Every text is escaped."""
    stamps = "".join(f'<p class="stamp">{escape(stamp)}</p>' for stamp in report.stamps)
    methods = "".join(f"<p>{escape(part)}</p>" for part in report.methods)
    figures = "".join(
        f'<figure role="img" aria-label="{escape(str(figure["layout"]["title"]["text"]), quote=True)}">{as_svg(figure)}</figure>'
        for figure in report.figures
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(report.title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><h1>{escape(report.title)}</h1>{stamps}"
        f'<p class="small">{escape(report.identity)}</p><h2>Methods</h2>{methods}'
        f"<h2>Design</h2>{''.join(map(_table, report.about))}"
        f"<h2>Figures</h2>{figures or '<p>There is nothing to draw yet.</p>'}"
        f"<h2>Results</h2>{''.join(map(_table, report.results)) or '<p>There is no rating yet.</p>'}</body></html>"
    )


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    note = f'<p class="small">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h3>{escape(table.title)}</h3>{note}<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
