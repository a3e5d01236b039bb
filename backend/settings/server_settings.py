"""How the API and the page are reached, and what they take."""

from pydantic import Field
from pydantic_settings import BaseSettings


class ServerSettings(BaseSettings):
    """Address, ports, names, login and limits of the API and the page."""

    host: str = Field(default="127.0.0.1", description="Address the API and the page bind to")
    allowed_hosts: str = Field(
        default="",
        pattern=r"^\s*(([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(\s+|$))*$",
        description="Further names the API and the page are reached under, such as a reverse proxy's, by spaces and without ports",
    )
    api_port: int = Field(default=8600, ge=1, le=65535, description="Port of the API")
    page_port: int = Field(default=8501, ge=1, le=65535, description="Port of the page")
    login: bool = Field(
        default=False,
        description="People log in to the page with a name and a password; always so when host is not loopback",
    )
    api_token: str = Field(default="", description="Token programs must send; required when host is not loopback")
    max_note_chars: int = Field(default=50_000, ge=1_000, description="Longest note taken, in code points")
    timeout_s: float = Field(default=60.0, gt=0, description="Seconds the page waits for the API's next event")
    retention_days: int = Field(
        default=30,
        ge=0,
        le=36_500,
        description="Days after its last change that a letter which was never signed is deleted; 0: it is kept",
    )
