"""Names that code finds without importing them."""
