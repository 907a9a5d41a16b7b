"""The web app: pages and a JSON API over the same session, explanation and analysis as the command line."""
