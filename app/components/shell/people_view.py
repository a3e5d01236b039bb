"""Draws the accounts, the form of a new one, and the trail of access."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import streamlit as st

from app.components.shell.login import ROLE_WORDS
from app.components.shell.notices import draw_refused, plain
from app.components.tables import draw_rows
from app.words.words import _, later
from backend.schemas.access import LONGEST_PASSWORD, AccessEvent, Account, PersonRole

Call = Mapping[str, Callable[..., None]]
Key = Callable[[str, str], str]
ACTS = {
    "add": later("made the account of"),
    "change": later("changed the account of"),
    "remove": later("removed the account of"),
    "login": later("logged in"),
    "logout": later("logged out"),
    "login_failed": later("gave a wrong password"),
}
OWN_ACTS = frozenset({"login", "logout", "login_failed"})
LOGINS_OFF = later(
    "Logins are off on this computer: anyone who uses it can open every page. Accounts apply once logins are on (LEAPNOTE_LOGIN), "
    "and always where other computers can reach Leapnote."
)


def draw_logins_off() -> None:
    """That accounts open nothing yet."""
    st.info(_(LOGINS_OFF), icon=":material/info:")


def draw_outcome(message: str, refused: bool) -> None:
    """What came of the last act."""
    if message and refused:
        draw_refused(message)
    elif message:
        st.success(plain(message), icon=":material/check:")


def draw_new(name: str, role: str, password: str, on_add: Callable[[], None]) -> None:
    """The form of a new account. name, role, password: keys of its fields."""
    with st.expander(_("New account"), icon=":material/person_add:", key="people_new"):
        st.text_input(_("Name, as it stands in letters and records"), key=name, max_chars=120, autocomplete="off")
        st.selectbox(_("Role"), list(PersonRole), key=role, format_func=_role)
        st.caption(_about_roles())
        st.text_input(_("First password, at least 12 characters"), key=password, type="password",
                      max_chars=LONGEST_PASSWORD, autocomplete="new-password")  # fmt: skip
        st.button(_("Make the account"), key="people_add", type="primary", on_click=on_add)


def draw_accounts(accounts: Sequence[Account], me: str, key: Key, call: Call) -> None:
    """The accounts, one a row.

    Args:
        accounts: by name.
        me: who is logged in; their own role and account are another administrator's.
        key: the key of a field, by what it holds and whose it is.
        call: role, password, remove.
    """
    if not accounts:
        st.markdown(_("Nobody can log in yet."))
    with st.container(key="rows"):
        for one in accounts:
            name, last, act = st.columns([4, 4, 3], vertical_alignment="center")
            name.markdown(f"**{plain(one.name)}**  \n{_role(one.role)}")
            used = _("last used {day}").format(day=_when(one.last_used)) if one.last_used else _("not logged in")
            last.caption(_("since {day}").format(day=f"{one.created_at:%Y-%m-%d}") + f", {used}")
            with act, st.popover(_("Change {name}").format(name=plain(one.name[:24])), width="stretch"):
                _draw_change(one, me, key, call)


def _draw_change(one: Account, me: str, key: Key, call: Call) -> None:
    mine = one.name.casefold() == me.casefold()
    st.text_input(_("New password, at least 12 characters"), key=key("password", one.name), type="password",
                  max_chars=LONGEST_PASSWORD, autocomplete="new-password")  # fmt: skip
    st.button(_("Set the password"), key=key("set", one.name), on_click=call["password"], args=(one.name, key("password", one.name)))  # fmt: skip
    if mine:
        st.caption(_("Your own role and account are changed by another administrator."))
        return
    roles = list(PersonRole)
    st.selectbox(_("Role"), roles, index=roles.index(one.role), key=key("role", one.name), format_func=_role)
    st.button(_("Set the role"), key=key("set_role", one.name), on_click=call["role"], args=(one.name, key("role", one.name)))  # fmt: skip
    st.button(_("Remove the account"), key=key("remove", one.name), on_click=call["remove"], args=(one.name,))
    st.caption(_("Each of these ends the person's logins. Their name stays in letters and records."))


def draw_trail(events: Sequence[AccessEvent]) -> None:
    """Who logged in, failed to, and changed accounts."""
    with st.expander(_("Who logged in and who changed accounts"), key="people_trail"):
        rows = [{_("when"): _when(one.at), _("who"): one.actor, _("what"): _act_words(one)} for one in events]
        draw_rows(rows)


def _act_words(event: AccessEvent) -> str:
    words = _(ACTS.get(event.act, event.act))
    return words if event.act in OWN_ACTS else f"{words} {event.name}"


def _role(role: PersonRole) -> str:
    return _(ROLE_WORDS[role])


def _about_roles() -> str:
    return _(
        "A clinician writes and signs letters. A study coordinator also opens Research, sources and settings. An "
        "administrator also makes accounts."
    )


def _when(at: datetime) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}"
