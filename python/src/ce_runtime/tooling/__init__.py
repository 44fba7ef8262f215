"""Downstream tools as Python functions: the module ``tools`` of user code and its calls to the host.

A call is one ``call`` frame and one ``reply`` frame (wire.py). The host resolves the name, checks the arguments, asks the
policy and makes the call; nothing here decides what code may do.
"""
