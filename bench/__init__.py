"""Speed on this machine, ours and the peers' side by side: `python -m bench` writes the pages in `docs/`."""
