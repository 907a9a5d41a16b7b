"""`python -m overrun` is the command `overrun`."""

from overrun.cli.main import main

if __name__ == "__main__":
    main()
