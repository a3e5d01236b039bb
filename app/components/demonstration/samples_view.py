"""The samples that a demonstration is drawn from, or on the page why there are none."""

from app.clients.api_errors import ApiError
from app.components.shell.notices import draw_refused
from app.components.shell.unreachable import draw_error
from app.state import demonstration_state
from app.words.words import _
from backend.schemas.patients.case import DemonstrationCase


def drawn_samples() -> tuple[DemonstrationCase, ...]:
    """The samples; where there are none, or the service does not say, the page tells it."""
    try:
        cases = demonstration_state.samples()
    except ApiError as error:
        draw_error(error)
        return ()
    if not cases:
        draw_refused(_("There are no samples on this computer, so there is nothing to show."))
    return cases
