"""The rules systems. Each is a folder of its own; readers find them and never import one by name."""
