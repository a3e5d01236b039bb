"""Values of the settings in the shape that the parts take, and the connection to Neo4j that they name."""

from backend.errors import InputError
from backend.nlp.document.note_chunks import ChunkSettings
from backend.retrieval.patient_notes.two_stage_search import PatientSearchSettings, SearchStages
from backend.settings import Settings
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress


def patient_search(chosen: Settings) -> PatientSearchSettings:
    """How the patient's notes are cut and searched.

    Raises:
        InputError: weights or an overlap that cannot be.
    """
    try:
        return PatientSearchSettings(
            stages=SearchStages(chosen.patient_stages),
            chunks=ChunkSettings(chosen.patient_chunk_chars, chosen.patient_chunk_overlap, chosen.patient_headers),
            previous_visit=chosen.patient_previous_visit,
            per_question=chosen.patient_per_question,
            per_sub_query=chosen.patient_per_sub_query,
            bm25_weight=chosen.patient_bm25_weight,
            cosine_weight=chosen.patient_cosine_weight,
            symptom_boost=chosen.patient_symptom_boost,
            rerank_depth=chosen.patient_rerank_depth,
            most_pieces=chosen.patient_pieces,
            visit_gap_days=chosen.patient_visit_gap_days,
        )
    except ValueError as error:
        raise InputError(f"The settings LEAPNOTE_PATIENT_… do not fit together. {error}") from None


def neo4j_address(settings: Settings) -> Neo4jAddress:
    """Where Neo4j is, by the settings."""
    return Neo4jAddress(
        settings.neo4j_uri,
        settings.neo4j_user,
        settings.neo4j_password,
        settings.neo4j_database,
        settings.neo4j_connect_s,
        settings.neo4j_query_s,
        settings.neo4j_retry_s,
    )


def connected_neo4j(settings: Settings) -> Neo4j:
    """A connection to the Neo4j server, to be closed; making it fails where the server cannot be reached.

    Raises:
        InputError: no server is set.
    """
    if not settings.neo4j_uri:
        raise InputError(
            "No Neo4j server is set. Set LEAPNOTE_NEO4J_URI, as bolt://127.0.0.1:7687, and see docs/graphs.md."
        )
    return Neo4j(neo4j_address(settings))
