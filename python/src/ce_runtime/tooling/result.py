"""The payload of a reply as a Python value."""

import base64
import json
from typing import Any, Mapping

from .errors import ToolError
from .media import Media, Save, media_name

_decode = json.JSONDecoder().raw_decode
_KINDS = ("text", "image", "audio", "resource_link")


def decode_result(payload: bytes, tool: str, save: Save) -> Any:
    """A JSON value as it is; text as str; images and files as Media; several parts as a list. Raises ToolError."""
    try:
        body, _end = _decode(payload.decode("utf-8"))
        if "value" in body:
            return body["value"]
        if "content" in body:
            return _large(body, save)
        parts = [_part(part, save) for part in body["parts"]]
    except RecursionError:
        raise _unreadable(tool, "it is nested too deeply") from None
    except (ValueError, KeyError, TypeError) as error:
        raise _unreadable(tool, str(error)) from None
    return parts[0] if len(parts) == 1 else parts


def _large(body: Mapping[str, Any], save: Save) -> Any:
    """What the host was too busy to make values of; its rules for shorter results are in session/tool-result.ts."""
    content = [_flat(part) for part in body["content"]]
    has_media = any(part["type"] in ("image", "audio") for part in content)
    if "structured" in body and not has_media:
        return body["structured"]
    if not content:
        return None
    if len(content) > 1 or content[0]["type"] != "text":
        parts = [_part(part, save) for part in content]
        return parts[0] if len(parts) == 1 else parts
    text = content[0]["text"]
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flat(part: Any) -> Mapping[str, Any]:
    """A part as the server sent it, in the form in which the host hands on those of shorter results."""
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "resource":
        return {**part["resource"], "type": kind}
    if kind in _KINDS:
        known: Mapping[str, Any] = part
        return known
    return {"type": "text", "text": "a part of the result has the unknown type %s" % json.dumps(kind)[:50]}


def _part(part: Mapping[str, Any], save: Save) -> Any:
    kind = part["type"]
    if kind == "text":
        return part["text"]
    uri = part.get("uri")
    if kind == "resource_link":
        return dict(part)  # nothing but an address: the code can pass it to a tool that reads resources
    text = part.get("text")
    if kind == "resource" and text is not None:
        mime_type = str(part.get("mimeType") or "text/plain")
        data = text.encode("utf-8", "surrogatepass")
    else:
        mime_type = str(part.get("mimeType") or "application/octet-stream")
        data = base64.b64decode(part["blob"] if kind == "resource" else part["data"])
    return Media(mime_type, data, media_name(mime_type, uri), uri, save)


def _unreadable(tool: str, why: str) -> ToolError:
    return ToolError("the result of %s cannot be read: %s" % (tool, why), tool=tool)
