"""Draws plotly figures that come as JSON, in the page's own colours."""

import streamlit as st

from backend.schemas.results import Chart


def draw_chart(chart: Chart, key: str) -> None:
    st.plotly_chart(chart.figure, width="stretch", theme="streamlit", key=key, config={"displaylogo": False})
