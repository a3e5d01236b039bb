"""Rules as rows: the files of assets/rules, triggers with their examples, and the automaton that finds them all at once."""

from backend.nlp.rules.rule_files import RULES, rule_names, rule_rows, words_by_kind

__all__ = ["RULES", "rule_names", "rule_rows", "words_by_kind"]
