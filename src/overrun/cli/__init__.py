"""The command line. A command is one file in `commands`; it is found there and loaded only when it is needed."""
