"""The free parameters as a unit box: where values lie, and what points mean."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, strategies as st

from arena.plugins.load import parse_parameters
from arena.tuning.space import Axis, Space
from arena.tuning.trials import point_name

FREE = Axis("free", 0.5, 0.0, 2.0)
LOG = Axis("log", 100.0, 1.0, 10_000.0, log=True)
WHOLE = Axis("whole", 3, 0.0, 9.0, is_whole=True, step=1.0)
WHOLE_LOG = Axis("whole_log", 30, 1.0, 1000.0, log=True, is_whole=True, step=1.0)
TENTHS = Axis("tenths", 0.3, 0.1, 1.0, step=0.1)
UNEVEN = Axis("uneven", 5, 2.0, 13.0, is_whole=True, step=3.0)
AXES = [FREE, LOG, WHOLE, WHOLE_LOG, TENTHS, UNEVEN]
NUMBERS = Space(tuple(AXES))

units = st.floats(0, 1)
axes = pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.name)


@axes
@given(unit=units)
def test_numbers_and_units_mirror_each_other(axis: Axis, unit: float) -> None:
    assert axis.unit(axis.number(unit)) == pytest.approx(unit, abs=1e-9)


@axes
@given(unit=st.floats(-5, 5), draw=st.floats(0, 1, exclude_max=True))
def test_whatever_is_asked_for_the_value_is_possible(axis: Axis, unit: float, draw: float) -> None:
    value = axis.value(unit, draw)
    assert isinstance(value, int | float)
    assert axis.has(float(value))
    assert isinstance(value, int) == axis.is_whole


@axes
def test_the_ends_are_the_ends(axis: Axis) -> None:
    assert axis.value(0.0) == axis.low
    assert axis.value(1.0) == pytest.approx(axis.top)
    assert axis.top == {"uneven": 11}.get(axis.name, axis.high)


@pytest.mark.parametrize("axis", [WHOLE, WHOLE_LOG, TENTHS], ids=lambda axis: axis.name)
@given(unit=units)
def test_on_average_rounding_changes_nothing(axis: Axis, unit: float) -> None:
    draws = 100
    mean = sum(float(axis.value(unit, (i + 0.5) / draws)) for i in range(draws)) / draws
    assert mean == pytest.approx(axis.number(unit), abs=axis.step / draws + 1e-9)


@given(unit=units)
def test_rounding_takes_a_neighbour(unit: float) -> None:
    below = int(WHOLE.number(unit))
    assert {WHOLE.value(unit, draw) for draw in (0.0, 0.5, 0.999)} <= {below, min(below + 1, 9)}


def test_steps_are_written_as_people_count_them() -> None:
    found = [TENTHS.value(i / 9) for i in range(10)]
    assert found == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


@axes
def test_the_least_step_changes_the_value(axis: Axis) -> None:
    unit = axis.unit(axis.default)
    assert bool(axis.least) == bool(axis.step)
    for there in (unit + axis.least, unit - axis.least):
        assert not axis.step or axis.value(there) != axis.default


@axes
@given(unit=units)
def test_optuna_has_the_same_values_and_no_complaint(axis: Axis, unit: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        distribution = axis.distribution()
        value = axis.value(unit)
        assert distribution._contains(distribution.to_internal_repr(value))


@given(
    point=st.tuples(*[units] * len(AXES)),
    style=st.sampled_from(("calm", "true-ish")),
    on=st.booleans(),
)
def test_a_point_survives_in_its_name(point: tuple[float, ...], style: str, on: bool) -> None:
    values = {**NUMBERS.values(point), "style": style, "on": on}
    assert parse_parameters(point_name(values)) == values


def test_the_default_is_itself_in_the_box() -> None:
    units = NUMBERS.units(NUMBERS.default)
    assert NUMBERS.values(units) == pytest.approx(NUMBERS.default)
    assert NUMBERS.numbers(units) == pytest.approx(NUMBERS.default)


def test_the_digits_of_what_is_proposed_are_no_part_of_what_fits_are_known_by() -> None:
    """`Fit.mark` is a digest of the space's text, which folders have kept."""
    assert "digits" not in repr(Space(()))
