"""Warhammer Fantasy Battle, 6th edition: the overrun move on a real table."""
