import pytest

from overrun.rulesets.asl.rulings import RULINGS


@pytest.fixture
def rulings() -> dict[str, str]:
    return RULINGS.chosen({})
