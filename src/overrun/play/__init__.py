"""Playing one overrun: the driver, its log file, and the words that explain it."""
