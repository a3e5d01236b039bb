"""Every system and every role with a language model, and with a real server whose replies mean nothing."""

import pytest

from backend.schemas.vocabulary import DraftStatus
from tests.models.engine_server import Answer
from tests.services.chat_server import MODELS, QUERY, chat_server
from tests.services.llm_servers import serve_vllm, tiny_llama
from tests.services.model_world import World
from tests.services.served import SECRETS, served

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]


def test_each_role_has_a_model_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("roles")
    with chat_server() as writer, chat_server() as planner, chat_server() as extractor, chat_server() as judge:
        roles = {"PLANNER": planner, "EXTRACTOR": extractor, "JUDGE": judge}
        variables = {f"LEAPNOTE_{role}_MODEL": f"openai:{server.url}#{MODELS[0]}" for role, server in roles.items()}
        with served(folder, LEAPNOTE_UNCERTAINTY_SAMPLES="2", LEAPNOTE_REPAIR="true", **variables) as api:
            generator = f"openai:{writer.url}#{MODELS[1]}"
            api.draft(generator)
            assert planner.asked == ["thought", "plan"]
            assert {"discharge-instructions"} == set(writer.asked)
            api.draft(generator, system="clinicalrag")
            # it reads the record of each of the two drafts' notes; what else it is asked is ClinicalRAG's, entities first
            own = [name for name in extractor.asked if name != "record"]
            assert set(own) <= {"entities", "knowledge"} and own[0] == "entities"
            assert extractor.asked[0] == "record" and extractor.asked.count("record") == 2
            assert set(judge.asked) == {"entailed"}
            assert {request["model"] for request in planner.requests} == {MODELS[0]}
            planner.rule = extractor.rule = judge.rule = lambda body: Answer(status=500)
            without = api.draft(generator)
            assert without.generator.name == generator  # a planner that fails is no writer that fails
            assert any("thought:" in text for text in without.fallbacks)
            assert not [word for word in SECRETS if word in api.said()]


SYSTEMS = (
    "rar2",
    "rar2-parallel",
    "rar2-iterative",
    "i-medrag",
    "spo",
    "query2doc",
    "prompting",
    "reflexion",
    "serts",
    "clinicalrag",
    "leapnote",
)


UNTRAINED = ("spo",)
"""Says rightly that the planner is not the one that was trained for it."""


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_runs_whole_with_a_model(world: World, model: str, system: str) -> None:
    draft = world.api.draft(world.straight(model), system=system)
    assert (draft.status, draft.generator.name) == (DraftStatus.COMPLETE, world.straight(model))
    fell = [text for text in draft.fallbacks if not ("untrained" in text or "not trained" in text)]
    written = [text for text in fell if "proposed one" not in text]
    assert not written, written
    assert (len(draft.fallbacks) > len(fell)) == (system in UNTRAINED)
    asked = [query.text for query in draft.plan.sub_queries if not query.skipped]
    if system != "clinicalrag":
        assert any(QUERY in text for text in asked), asked
    else:
        assert any("short of breath" in text or "dyspnea" in text for text in asked), asked


def test_a_real_server_with_a_random_model_is_survived(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Replies have the right form and mean nothing: every system ends with a draft that is checked."""
    folder = tiny_llama(tmp_path_factory.mktemp("models") / "tiny")
    with serve_vllm(folder) as url:
        for system in SYSTEMS:
            draft = world.api.draft(f"openai:{url}#{folder}", system=system)
            assert draft.status in (DraftStatus.COMPLETE, DraftStatus.PARTIAL, DraftStatus.NOTHING_FOUND), system
            (why,) = (stage.reason for stage in draft.stages if stage.name == "passages")
            # a random plan may ask nothing of the sources that are filled; then the stage says so
            nothing = why.startswith(("no source was searched", "0 passages, 0 graph", "0 passages by"))
            assert nothing != bool(draft.evidence.passages or draft.evidence.graph), (system, why)
            known = {item.id for item in (*draft.evidence.passages, *draft.evidence.graph, *draft.evidence.notes)}
            known |= {path.id for path in draft.evidence.paths}
            assert all(set(sentence.citations) <= known for sentence in draft.sentences)
