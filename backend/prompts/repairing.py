"""The prompt of the one repair pass: sentences that their citations do not carry are reworded from the material or struck."""

from backend.prompts.drafting import MATERIAL, RULES, WritingPrompt

REPAIR = WritingPrompt(
    name="repair",
    version=1,
    what="Sentences found unsupported, reworded from the material or struck (off by default)",
    instructions=RULES,
    data=(*MATERIAL, "sentences"),
    longest=1024,
    ending=(
        "The document: better wordings of the numbered sentences in SENTENCES. Each was written from this material, and a check found "
        "that what it cites does not carry it; the check's reason stands beside it. For each, either write one sentence that says "
        "only what the material carries, with the ids that carry it at its end, or give an empty text where the material carries "
        "nothing of it. Change no other sentence. Reply with one JSON object and nothing else: "
        '{"sentences": list of {"number": its number, "text": the sentence, or empty}}.'
    ),
)
