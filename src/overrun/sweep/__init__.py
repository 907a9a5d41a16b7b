"""Sweeps: one question over a grid of situations, on one processor or many machines, kept in parts that survive."""
