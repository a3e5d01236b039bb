"""The five sources as a planner is told of them."""

from backend.schemas.vocabulary import Source

ABOUT: dict[Source, str] = {
    Source.BOOK: "textbooks and handbooks: settled knowledge of diseases, mechanisms, findings and treatments",
    Source.GUIDELINE: "practice guidelines: what professional bodies advise for diagnosis, treatment and follow-up",
    Source.RESEARCH: "research articles: studies, trials and reviews, recent or specialised results",
    Source.WIKI: "an encyclopaedia: short general entries, found best by the name of the entry",
    Source.GRAPH: "a knowledge graph: the definition of a term, and its relations to other terms",
}
STYLE: dict[Source, str] = {
    Source.BOOK: "a page of a textbook that explains the matter",
    Source.GUIDELINE: "a section of a practice guideline with what it advises and for whom",
    Source.RESEARCH: "the abstract of a research article with methods and results",
    Source.WIKI: "the opening of an encyclopaedia's entry",
}


def told(sources: tuple[Source, ...]) -> str:
    """One line a source."""
    return "\n".join(f"- {source.value}: {ABOUT[source]}" for source in sources)
