"""Errors for what makes no sense in a sandbox, with the next step."""

#: The advice on the missing network, for a run without tools.
NO_NETWORK = (
    "the sandbox has no network: put the data into the workspace as a file (write_workspace_file) and open() it, "
    "or pass it in context_vars"
)
#: The same for a run that has tools.
NO_NETWORK_BUT_TOOLS = (
    "the sandbox has no network: look for a tool with tools.search(...), "
    "or put the data into the workspace as a file (write_workspace_file) and open() it"
)
NO_TOOLS = (
    "no tools are configured: work with workspace files and context_vars, "
    "or have MCP servers added to the configuration of this server (mcpServers)"
)
NO_PROCESSES = (
    "the sandbox runs no other processes or shell commands: use Python instead "
    "(os.listdir or list_files, pathlib, shutil, zipfile, re)"
)
NO_DEBUGGER = "there is no debugger here: print() the values instead"
NO_BRIDGE = "the sandbox runs plain Python: there is no browser and no JavaScript here; use the standard library"


class NetworkAdvice:
    """What to do without a network; depends on the run. One for the process, since what it patches is."""

    def __init__(self) -> None:
        #: Whether the run of the moment has tools.
        self.has_tools = False

    def __str__(self) -> str:
        return NO_NETWORK_BUT_TOOLS if self.has_tools else NO_NETWORK


NETWORK_ADVICE = NetworkAdvice()


class Denied(Exception):
    """Marks an error of this module; its code is ``import_denied``."""


class DeniedImport(Denied, ImportError):
    """An import that is refused."""


class DeniedCall(Denied, OSError):
    """A call of a module that can be imported (so that it can be mocked) but not be used."""


# The model knows these names; ours would tell it nothing.
for _cls, _shown in ((DeniedImport, "ImportError"), (DeniedCall, "PermissionError")):
    _cls.__name__ = _cls.__qualname__ = _shown
    _cls.__module__ = "builtins"
