"""ReinRAG's prompt (appendix C.3) for evaluations alone: one worked example with its paths, then the new patient; no rules, no ids.

It leaves the model as free to infer as the paper does, so that what it writes is never shown to anybody who treats a patient.
"""

from backend.prompts.template import Prompt

EXAMPLE_DATA = ("example_patient_condition", "example_reasoning_paths", "example_discharge_instructions")
NEW_DATA = ("new_patient_condition", "new_reasoning_paths")
PAPER_DISCHARGE = Prompt(
    name="paper-discharge",
    version=1,
    what="Discharge instructions as ReinRAG's appendix C.3 asks for them, with one worked example (evaluation alone)",
    instructions=(
        "You are a physician who writes discharge instructions, and you have a medical knowledge graph at hand. Give advice that is "
        "clear and can be acted on, and explain each medical term so that the patient understands it.\n\n"
        "EXAMPLE PATIENT CONDITION, EXAMPLE REASONING PATHS, which the graph gave for it, and EXAMPLE DISCHARGE INSTRUCTIONS show how "
        "it is done. Go by them, and write the discharge instructions of the new patient from NEW PATIENT CONDITION and "
        "NEW REASONING PATHS. A path reads: concept [semantic group] → relation → concept [semantic group] → …\n\n"
        "Write one flowing paragraph without titles, headings or a greeting. Speak of medicines, food and drink, activity, and of the "
        "precautions that follow from the allergies, the chief complaint and the history of present illness. Write the instructions "
        "and nothing else."
    ),
    data=(*EXAMPLE_DATA, *NEW_DATA),
    longest=900,
)
