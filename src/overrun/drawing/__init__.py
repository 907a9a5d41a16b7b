"""Flowcharts and game trees, drawn from the frozen rules and from nothing else (X-07)."""
