"""Draws what stands beside the sentences of a saved case: flags, conditions, the signature, copies and the history."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from app.components.drafts.case_list import Key
from app.components.shell.notices import plain
from app.view_data.review_text import by_severity, change, when
from backend.schemas.drafts.evidence import Condition
from backend.schemas.patients.saved_case import (
    AuditEntry,
    CaseView,
    CopyKind,
    EditKind,
    EditRecord,
    ExportFormat,
    Gap,
    ReviewFlag,
)
from backend.schemas.vocabulary import ConditionStatus, Severity

LEVELS = {Severity.SEVERE: "Severe", Severity.WARNING: "Warning", Severity.INFO: "Note"}
Take = Callable[[str, str], bytes]  # a format and a kind of copy give the file


def draw_flags(view: CaseView, key: Key) -> None:
    """Severe flags open, each with its acknowledgement and reason; the others behind a line."""
    flags = by_severity(view.flags)
    severe = [flag for flag in flags if flag.severity == Severity.SEVERE]
    rest = [flag for flag in flags if flag.severity != Severity.SEVERE]
    names = {i: s.id for i, s in enumerate(s for s in view.sentences if not s.deleted)}
    for flag in severe:
        with st.container(border=True, key=f"severe_{flag.id}"):
            st.error(plain(flag_text(flag, names)), icon=":material/warning:")
            st.checkbox("I have looked at this flag", key=key("ack", flag.id), persist_state="session")
            st.text_input("Reason", key=key("reason", flag.id), max_chars=1000, persist_state="session")
    if rest:
        with st.expander(f"{len(rest)} other flag{'s' if len(rest) > 1 else ''}", key="other_flags"):
            st.markdown("\n".join(f"- **{LEVELS[flag.severity]}** {plain(flag_text(flag, names))}" for flag in rest))


def flag_text(flag: ReviewFlag, names: dict[int, str]) -> str:
    """The message, and the sentence it is about by the name it has on this screen."""
    about = names.get(flag.sentence) if flag.sentence is not None else None
    return f"{flag.message} ({about})" if about else flag.message


def draw_conditions(conditions: Sequence[Condition], on_judge: Callable[[str, EditKind], None]) -> None:
    """Each condition with what may still be said of it."""
    if not conditions:
        return
    possible = sum(c.status == ConditionStatus.POSSIBLE for c in conditions)
    with st.expander(f"Conditions: {possible} of {len(conditions)} to confirm or rule out", key="conditions"):
        for condition in conditions:
            name = condition.concept_id
            said, act = st.columns([3, 3], vertical_alignment="center")
            said.markdown(f"**{plain(condition.name)}**  \n{condition.status.value.replace('_', ' ')}")
            with act, st.container(horizontal=True):
                if condition.status != ConditionStatus.CONFIRMED:
                    kind = EditKind.CONFIRM_CONDITION
                    st.button("Confirm", key=f"confirm_{name}", on_click=on_judge, args=(name, kind))
                if condition.status != ConditionStatus.RULED_OUT:
                    kind = EditKind.RULE_OUT_CONDITION
                    st.button("Rule out", key=f"rule_out_{name}", on_click=on_judge, args=(name, kind))


def draw_signing(view: CaseView, on_sign: Callable[[], None]) -> None:
    """The signer's name is the author's; the role is asked here."""
    if view.signature is not None:
        st.success(
            plain(f"Signed by {view.signature.name}, {view.signature.role}, {when(view.signature.at)}."),
            icon=":material/verified:",
        )
        return
    gaps = f"{len(view.gaps)} gap{'' if len(view.gaps) == 1 else 's'} left to complete. " if view.gaps else ""
    st.caption(f"{gaps}Your signature says that you have checked every sentence of version {view.version}.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="signing"):
        st.text_input("Your role", key="role", width=200, max_chars=120, persist_state="session")
        st.button("Sign", key="sign", type="primary", on_click=on_sign)


def draw_refused_signature(flags: Sequence[ReviewFlag], gaps: Sequence[Gap]) -> None:
    """All that stands against a signature."""
    with st.container(border=True, key="refused_signature"):
        st.error("This version cannot be signed yet.", icon=":material/block:")
        if flags:
            st.markdown("Acknowledge with a reason, or correct what is named:")
            st.markdown("\n".join(f"- {plain(flag.message)}" for flag in flags))
        if gaps:
            st.markdown("Complete or delete:")
            st.markdown("\n".join(f"- {plain(f'{gap.sentence}: {gap.text}')}" for gap in gaps))


def draw_copies(view: CaseView, take: Take) -> None:
    """The export files. Each is made when it is clicked and leaves a line in the audit trail."""
    st.caption(f"Clinician’s copy{'' if view.signature else ', marked as not signed'}")
    stem = f"case-{view.id[:8]}-v{view.version}"
    _draw_files(CopyKind.CLINICIAN, [f for f in view.exports if CopyKind.CLINICIAN in f.copies], stem, take, view)
    if view.signature is None:
        st.caption("The patient’s copy exists once this version is signed.")
        return
    st.caption("Patient’s copy")
    files = [f for f in view.exports if CopyKind.PATIENT in f.copies and not f.for_programs]
    _draw_files(CopyKind.PATIENT, files, f"{stem}-patient", take, view)


def _draw_files(copy: CopyKind, files: Sequence[ExportFormat], stem: str, take: Take, view: CaseView) -> None:
    """One button a format."""
    with st.container(horizontal=True, key=f"copies_{copy.value}"):
        for one in files:
            st.download_button(
                one.label, partial(take, one.name, copy.value), f"{stem}.{one.suffix}", one.media_type,
                key=f"take_{copy.value}_{one.name}_{view.id}_{view.version}", on_click="ignore",
            )  # fmt: skip


def draw_history(edits: Sequence[EditRecord], audit: Callable[[], tuple[AuditEntry, ...]]) -> None:
    """What was changed, newest first, and on request the audit trail."""
    with st.expander(f"History: {len(edits)} edit{'' if len(edits) == 1 else 's'}", key="history"):
        st.markdown("\n".join(f"- {plain(change(record))}" for record in reversed(edits)) or "Nothing was changed yet.")
        if st.toggle("Show the audit trail", key="show_audit"):
            rows = [
                {"when": when(entry.at), "who": entry.actor, "what": entry.action.value, "version": entry.version}
                for entry in audit()
            ]
            st.dataframe(rows, hide_index=True)


def draw_delete(on_delete: Callable[[], None]) -> None:
    """The button that deletes the case for good, behind a popover."""
    with st.popover("Delete this case"):
        st.markdown("Text and edits are deleted for good; the audit trail keeps ids, times and kinds.")
        st.button("Delete for good", key="delete_case", on_click=on_delete)
