"""A model, made before any other: the first one that pydantic makes costs more than all of a scenario's.

Processes that read the rules anew are started from one that has imported this.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class First(BaseModel):
    """One field of each kind that scenarios have."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: Annotated[str, Field(pattern="^[a-z]+$")] = "first"
    numbers: Annotated[list[Annotated[int, Field(ge=0)]], BeforeValidator(list)] = []
    others: dict[str, str] | None = None


First.model_validate({"name": "first"})
