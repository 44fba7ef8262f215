"""The worker inside the native jail: a parent that forks one child for each run, and what the child needs."""
