"""After a run that was killed: what it has changed in the workspace, found by a fresh fork of the parent."""

import json
import os
from typing import Any, Dict

from .channel import Channel
from .marks import SharedMark
from .sending import send_file, send_folder, send_removal
from .tree import NOT_LOADED, walk


def collect(channel: Channel, root: str, mark: SharedMark) -> None:
    """Takes one ``collect`` frame with the run's id and its list of files, and sends what differs from that."""
    header, _payload = channel.receive()
    head: Dict[str, Any] = json.loads(header)
    if not mark.is_set_to(head["run"]):
        return  # it was killed before its files were laid out: what lies there is of no run, or of the one before
    manifest = {entry["path"]: entry for entry in head["manifest"]}
    room = head["bytes"]
    present = set()
    for found in walk(root):
        present.add(found.path)
        entry = manifest.get(found.path)
        if found.is_folder:
            if entry is None or entry["kind"] != "directory":
                send_folder(channel.send, found.path)
        elif not found.info.st_mode & NOT_LOADED and not _is_as_listed(entry, found.info) and room >= 0:
            room -= send_file(channel.send, os.path.join(root, found.path), found.path)
    for path in sorted(set(manifest) - present, reverse=True):
        send_removal(channel.send, path)


def _is_as_listed(entry: Any, info: os.stat_result) -> bool:
    if entry is None or entry["kind"] != "file":
        return False
    return bool(entry["size"] == info.st_size and int(entry["mtimeMs"] * 1_000_000) == info.st_mtime_ns)
