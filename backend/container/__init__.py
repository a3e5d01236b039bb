"""Builds pipelines from settings and a system's name. The only place that chooses an implementation."""

from backend.container.container import Container as Container
from backend.container.process_tuning import freeze_loaded as freeze_loaded
from backend.container.settings_values import neo4j_address as neo4j_address
