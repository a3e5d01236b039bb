"""Sentences that warn of a medicine or name it as a cause, which is not to give it."""

import re

CAUTIONS = re.compile(
    r"\b(avoid|stay away from|mixed with|(do not|never) (mix|combine)|do not (take|use)|should not (take|use)|not be (taken|used)|allergic to|allergy to|do(es)? not agree with|"
    r"raises? the risk|(can|may) (cause|bring on|trigger|worsen)|(ask|tell|check with) your (team|doctor|pharmacist)[^.]* before|ask before you (take|use))\b",
    re.IGNORECASE,
)
