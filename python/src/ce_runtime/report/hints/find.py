"""Which rule gives the hint: the rules of the nearest class along the exception's bases are asked in order."""

from typing import Callable, Dict, Optional, Tuple

from . import attributes, files, imports, keys, limits, names, operations, skills, syntax, tools, values
from .situation import Situation

Rule = Callable[[BaseException, Situation], Optional[str]]

_RULES: Dict[str, Tuple[Rule, ...]] = {
    "ToolError": (tools.tool_error,),
    "SkillError": (skills.skill_error,),
    "UnboundLocalError": (names.unbound_local,),
    "NameError": (names.name_error,),
    "KeyError": (keys.key_error,),
    "IndexError": (keys.index_error,),
    "FileNotFoundError": (files.not_found,),
    "PermissionError": (files.not_permitted,),
    "NotImplementedError": (files.unsupported,),
    "IsADirectoryError": (files.is_directory,),
    "UnicodeDecodeError": (files.undecodable,),
    "UnicodeEncodeError": (files.unencodable,),
    "ModuleNotFoundError": (imports.missing_module,),
    "ImportError": (imports.missing_name,),
    "AttributeError": (attributes.attribute_error,),
    "TypeError": (operations.type_error,),
    "JSONDecodeError": (values.json_decode,),
    "ZoneInfoNotFoundError": (values.time_zone,),
    "ValueError": (values.value_error,),
    "StatisticsError": (values.statistics_error,),
    "RecursionError": (limits.recursion,),
    "MemoryError": (limits.memory,),
    "RuntimeError": (limits.runtime,),
    "SystemExit": (limits.system_exit,),
    "OSError": (files.disk_full,),
    "TabError": (syntax.tabs,),
    "IndentationError": (syntax.indentation,),
    "SyntaxError": (syntax.syntax_error,),
}


def find_hint(error: BaseException, situation: Situation) -> Optional[str]:
    """The next step, or None if there is nothing better than the message."""
    for base in type(error).__mro__:
        for rule in _RULES.get(base.__name__, ()):
            hint = rule(error, situation)
            if hint:
                return hint
    members = getattr(error, "exceptions", None)
    if isinstance(members, tuple) and members and isinstance(members[0], BaseException):
        return find_hint(members[0], situation)
    return None
