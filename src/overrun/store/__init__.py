"""Files on disk: scenarios and logs, found by path or by the name of a shipped example."""
