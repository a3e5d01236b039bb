import json, sys
def test_dump(house, drafted):
    from tests.cases.test_cases import DemonstrationCase
    from pathlib import Path
    out={}
    for p in sorted(Path('assets/cases').glob('*.json')):
        c=DemonstrationCase.model_validate_json(p.read_text())
        d=drafted(c)
        out[c.name]=[(x.name, x.concept_id in c.expected.conditions) for x in d.conditions]
    Path('/tmp/r6/rank_out.json').write_text(json.dumps(out))
