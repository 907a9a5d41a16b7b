"""Referee, exact odds and advice for overrun attacks in tabletop wargames."""

__version__ = "0.1.0"
