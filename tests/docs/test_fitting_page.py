"""The page on fits: its file has every key and can be read, and what it says can be found."""

from __future__ import annotations

import re
from dataclasses import fields

from support.samples import ROOT, Write

import arena
from arena.config.reader import TERMS
from arena.plugins.build import evaluation_of
from arena.plugins.load import Named, load_game
from arena.plugins.parameters import parameters
from arena.tuning.fit.config import MADE, FitConfig, fit_keys, make_keys, read_fit
from arena.tuning.fit.frames import FitFrames
from arena.tuning.fit.result_fit import FitResult
from arena.tuning.proof.report import ProofFrames

PAGE = (ROOT / "docs/fitting.md").read_text(encoding="utf-8")
(FILE,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


def config_in(write: Write, text: str) -> FitConfig:
    return read_fit(write(text, "better_threes.yaml"))


def test_its_file_has_every_key_and_can_be_read(write: Write, undrawn: None) -> None:
    text = re.sub(r"^# ", "", FILE, flags=re.MULTILINE)  # games, which stand in a comment
    known = {each.name: each for each in parameters(fit_keys)}
    assert {*known} <= set(re.findall(r"^(\w+):", text, re.MULTILINE)) <= {*known, *TERMS}
    (made,) = re.findall(r"^make:.*?\n(?=\w)", text, re.DOTALL | re.MULTILINE)
    own = {each.name for each in parameters(make_keys)}
    assert set(re.findall(r"^  (\w+):", made, re.MULTILINE)) == own
    config = config_in(write, text)
    assert config.games == ("round", "club")
    settings = {field.name: field for field in fields(config.settings)}
    for name in settings:
        assert getattr(config.settings, name) == known[name].default, name


def test_its_engines_can_be_fitted_and_its_parameters_be_left_out(
    write: Write, undrawn: None
) -> None:
    config = config_in(write, FILE)
    game = load_game(config.terms.game)
    for name in ("five_tuple", "live_dead", "balance"):
        assert f"`{name}`" in PAGE
        assert evaluation_of(Named(name, {}), game)
    without = config_in(write, re.sub(r"^parameters:.*\n", "", FILE, flags=re.MULTILINE))
    assert not without.space.axes


def test_what_it_names_is_there() -> None:
    own = {field.name for field in fields(FitFrames)}
    own -= {field.name for field in fields(ProofFrames)}
    assert all(f"`{name}`" in PAGE for name in own)
    assert callable(arena.fit)
    assert callable(arena.open_fit)
    assert f"`results/NAME/{MADE}`" in PAGE
    assert f"`{FitResult.parameter}-DIGEST.npz`" in PAGE
