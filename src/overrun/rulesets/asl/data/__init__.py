"""Tables and catalogues of printed figures: a CSV grid with a TOML header each."""
