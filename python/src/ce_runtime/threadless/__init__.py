"""Stand-ins for threads where the platform has none (Emscripten).

A thread that is started runs as a whole, in the thread of its starter, when somebody first waits for something: for
the thread, for a queue, an event or the end of the program. Ordinary code gives the same answers that way. What would
wait for ever raises instead.
"""
