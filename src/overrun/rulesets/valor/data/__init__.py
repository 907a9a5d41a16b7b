"""Printed tables and counter values."""
