"""The chain with its two decisions as an OpenSpiel game in Python, solved by OpenSpiel's own value iteration."""

from __future__ import annotations

from typing import Any

import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
from open_spiel.python.algorithms import value_iteration  # type: ignore[import-not-found,import-untyped,unused-ignore]

from bench.numbers import OVER, START, WAYS, after, rolls
from bench.peers import decides, held, worth

TYPE = pyspiel.GameType(
    short_name="overrun_chain",
    long_name="Overrun chain",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
SIZES = pyspiel.GameInfo(
    num_distinct_actions=2,
    max_chance_outcomes=13,
    num_players=2,
    min_utility=-5.0,
    max_utility=6.0,
    utility_sum=0.0,
    max_game_length=12,
)


class ChainGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """The game."""

    def __init__(self, params: Any = None) -> None:
        super().__init__(TYPE, SIZES, params or {})

    def new_initial_state(self) -> ChainState:
        """The start: the attacker decides."""
        return ChainState(self)


class ChainState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A flat state, and whether the decision before its phase has been taken. Action 0 goes on, 1 declines or holds."""

    def __init__(self, game: ChainGame) -> None:
        super().__init__(game)
        self.state = START
        self.asked = False
        self.declined = False

    def current_player(self) -> int:
        """Attacker 0, defender 1, or what OpenSpiel calls chance and the end."""
        if self.declined or self.state[0] == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        if not self.asked and (self.state == START or decides(self.state)):
            return 0 if self.state == START else 1
        return int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return [0, 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The totals with their chances; one sure outcome where nothing is rolled."""
        return [(total, ways / 36) for total, ways in WAYS.items()] if rolls(self.state) else [(0, 1.0)]

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.state, self.asked = after(self.state, action), False
        elif action == 0:
            self.asked = True
        elif self.state == START:
            self.declined = True
        else:
            self.state, self.asked = held(self.state), False

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player}:{action}"

    def is_terminal(self) -> bool:
        """Is the chain over?"""
        return self.declined or self.state[0] == OVER

    def returns(self) -> list[float]:
        """What both have."""
        gained = 0.0 if self.declined else float(worth(self.state))
        return [gained, -gained]

    def __str__(self) -> str:
        return f"{self.state}{self.asked}{self.declined}"


pyspiel.register_game(TYPE, ChainGame)


def value() -> float:
    """The attacker's value by value iteration over every state."""
    game = pyspiel.load_game("overrun_chain")
    return float(value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-12)[str(game.new_initial_state())])
