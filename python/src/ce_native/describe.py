"""Run by the Python that is to work in the jail, outside of it and alone: where its parts are, and byte code for it.

Usage: python -I describe.py [folder of ce_runtime to compile]
"""

import json
import os
import sys


def described() -> "dict[str, object]":
    import sysconfig

    paths = sysconfig.get_paths()
    library = os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME") or "")
    return {
        "version": "%d.%d.%d" % sys.version_info[:3],
        "implementation": sys.implementation.name,
        "executable": sys.executable,
        "binary": os.path.realpath(sys.executable),
        "prefix": sys.prefix,
        "basePrefix": sys.base_prefix,
        "path": [entry for entry in sys.path if os.path.isdir(entry)],
        "libraries": [paths["stdlib"], paths["platstdlib"]],
        "shared": library if os.path.isfile(library) else None,
        "bits": 64 if sys.maxsize > 2**32 else 32,
        "ctypes": _calls_c(),
    }


def _calls_c() -> bool:
    """False also for a program that has the C library inside and no way to look it up."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None).syscall)
    except (ImportError, OSError, AttributeError):
        return False


if __name__ == "__main__":
    if len(sys.argv) > 1:
        import compileall
        import py_compile

        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        if not compileall.compile_dir(sys.argv[1], quiet=1, stripdir=sys.argv[1], invalidation_mode=unchecked):
            sys.exit("the runtime does not compile on Python %s" % sys.version.split()[0])
    print(json.dumps(described()))
