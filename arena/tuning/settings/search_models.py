"""Keys of a study's file that are Optuna's: a sampler by its class, and points to start from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, RootModel, StrictBool, StrictFloat, StrictInt, StrictStr


class SamplerEntry(BaseModel):
    """`method: {sampler: package.Class, parameter: value}`; parameters are the class's own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    sampler: StrictStr


class StartPoints(RootModel[list[dict[str, StrictInt | StrictFloat | StrictBool | StrictStr]]]):
    """`start: [{parameter: value}]`: what a point leaves out, the sampler chooses."""
