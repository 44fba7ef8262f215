"""From the text that a model sent to text that Python parses."""
