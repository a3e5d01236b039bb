"""The families of trigger phrases; each is a file of assets/rules named `<family>_triggers.tsv`."""

FAMILIES: tuple[str, ...] = ("allergies/events",)
