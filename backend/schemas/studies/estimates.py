"""Figures of a study with their intervals, and the names of methods, tests and coefficients.

A figure that cannot be had is None with a reason, never 0 and never NaN. Intervals are of 95 %.
"""

from enum import StrEnum
from typing import Self

from pydantic import model_validator

from backend.schemas.base import Frozen


class IntervalMethod(StrEnum):
    """How an interval was made. bootstrap: expanded percentiles of resamples of whole cases."""

    NONE = "none"
    BOOTSTRAP = "bootstrap"
    WILSON = "wilson"
    T = "t"
    F = "f"
    NORMAL = "normal"


class TestName(StrEnum):
    """The names that have one are those of a study's plan."""

    __test__ = False  # pytest collects no class called Test… from a test that imports it

    WILCOXON = "wilcoxon_case_means"
    SIGN = "sign_case_means"
    ORDINAL_GEE = "ordinal_gee"
    MIXED_MODEL = "mixed_model"
    BRADLEY_TERRY = "bradley_terry"


class Coefficient(StrEnum):
    """The coefficients of agreement between raters."""

    PERCENT = "percent_agreement"
    ALPHA_NOMINAL = "krippendorff_alpha_nominal"
    ALPHA_ORDINAL = "krippendorff_alpha_ordinal"
    ALPHA_INTERVAL = "krippendorff_alpha_interval"
    AC1 = "gwet_ac1"
    AC2 = "gwet_ac2"
    FLEISS = "fleiss_kappa"
    COHEN = "cohen_kappa"
    COHEN_QUADRATIC = "cohen_kappa_quadratic"
    ICC_SINGLE = "icc_2_1"
    ICC_MEAN = "icc_2_k"


class Level(StrEnum):
    """How a question's values may be compared. nominal: same or not. ordinal: order alone."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"


class Estimate(Frozen):
    """A figure and its interval. reason says why there is no value, or why a value has no interval."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    method: IntervalMethod = IntervalMethod.NONE
    reason: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.low is None) != (self.high is None):
            raise ValueError("an interval has both bounds or none")
        if self.low is None and not self.reason:
            raise ValueError("an estimate without a value or an interval says why")
        if self.value is None and self.low is not None:
            raise ValueError("an interval needs a value")
        return self


class ValueCount(Frozen):
    """How often one value was given."""

    value: float
    count: int
