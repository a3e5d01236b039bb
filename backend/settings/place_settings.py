"""Where things lie: the data folder, the database, the knowledge, the graph and its Neo4j server."""

from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings

ROOT = Path(__file__).resolve().parents[2]
STARTER = "starter"


class PlaceSettings(BaseSettings):
    """Folders, the SQL database, the knowledge graph and Neo4j."""

    data: Path = Field(
        default_factory=lambda: user_data_path("leapnote"), description="Folder of indexes, database and logs"
    )
    database_url: SecretStr = Field(
        default=SecretStr(""),
        description="SQL database of cases and studies, as postgresql://user:password@host:5432/name; "
        "empty: a SQLite file in LEAPNOTE_DATA",
    )
    knowledge: Path = Field(default=ROOT / "assets" / "knowledge", description="Folder of the starter knowledge")
    sources: str = Field(
        default="",
        description="Table of further kinds of source, a row each (docs/extending.md); empty: the five that ship",
    )
    graph: str = Field(
        default=STARTER, description="The knowledge graph: starter, the name of an imported one, or a folder"
    )
    policies: Path = Field(
        default=ROOT / "models" / "checkpoints", description="Folder of the trained path policies leapnote and reinrag"
    )
    locale: str = Field(
        default="us",
        pattern="^(us|uk)$",
        description="Emergency numbers, units, names of drugs and spelling of drafts: us or uk",
    )
    docx_template: str = Field(
        default="", description="The hospital's own .docx with placeholders such as {{letter}}; empty: a plain page"
    )
    neo4j_uri: str = Field(
        default="", description="Neo4j server, as bolt://127.0.0.1:7687 or neo4j://host:7687; empty: none"
    )
    neo4j_user: str = Field(default="neo4j", description="User of the Neo4j server")
    neo4j_password: SecretStr = Field(default=SecretStr(""), description="Password of the Neo4j server")
    neo4j_database: str = Field(default="neo4j", description="Database of the Neo4j server")
    neo4j_graph: str = Field(
        default="", description="Export in Neo4j that paths are walked in, of the graph that is set; empty: in memory"
    )
    neo4j_connect_s: float = Field(default=5.0, gt=0, description="Seconds to wait for a connection to Neo4j")
    neo4j_query_s: float = Field(default=60.0, gt=0, description="Seconds one statement may take in Neo4j")
    neo4j_retry_s: float = Field(
        default=15.0, ge=0, description="Seconds a passing failure of Neo4j is tried again when loading and exporting"
    )
