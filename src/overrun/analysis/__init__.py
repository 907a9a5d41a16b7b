"""Exact answers about a whole overrun: its graph of distinct positions, its odds, its best play."""
