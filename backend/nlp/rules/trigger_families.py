"""The families of trigger phrases; each is a file of assets/rules named `<family>_triggers.tsv`."""

FAMILIES: tuple[str, ...] = (
    "attributes/attribute",
    "measures/timing",
    "measures/route",
    "medications/medication",
    "medications/medicine_name",
    "people/age",
    "people/habit",
    "people/informant",
    "people/pregnancy",
    "people/reason",
    "people/setting",
    "people/sex",
    "people/social",
    "plan/plan",
    "plan/when",
    "procedures/after",
    "procedures/before",
    "procedures/list",
    "procedures/measure",
    "procedures/time",
)
