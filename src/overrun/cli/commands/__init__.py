"""One module a command. Its function of the same name is the command; `PLACE` is where the help lists it."""
