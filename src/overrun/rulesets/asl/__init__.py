"""Advanced Squad Leader: the overrun of rule D7."""
