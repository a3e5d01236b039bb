"""Builds pipelines from settings and a system's name. The only place that chooses an implementation."""

from backend.assembly.house import House as House
from backend.assembly.process import settle as settle
from backend.assembly.settings_values import neo4j_address as neo4j_address
