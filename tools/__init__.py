"""What dev.py runs besides the package itself."""
