"""The extracted graph as flat integer arrays: kept by content, solved again, priced and sampled in milliseconds."""
