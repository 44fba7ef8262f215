"""asyncio inside the sandbox: one loop that code finds wherever it looks for one, and runs inside runs."""
