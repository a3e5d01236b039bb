"""Builds pipelines from settings and a system's name. The only place that chooses an implementation."""

from backend.container.container import Container as Container
from backend.container.process_tuning import freeze_loaded as freeze_loaded
from backend.container.settings_values import connected_neo4j as connected_neo4j
