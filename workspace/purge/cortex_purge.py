# Written by cortex purge. It holds what must go: remove it with the last step.
import os, re

PATTERN = re.compile({pattern})
BY = {by}
DROP = set({drop})
RENAME = set({rename})
FILES = {files}
NAME = re.compile(rb"^(.*/)?[^/]*-(([0-9a-z]{7})[0-9a-z]{0,9}\.md)$", re.S)

def text(data):
    return PATTERN.sub(BY, data)

def blob(blob):
    if PATTERN.search(blob.data):
        blob.data = text(blob.data)

def path(path):
    if path in DROP:
        return None
    memory = NAME.match(path)
    if memory and memory.group(3) in RENAME and (path.startswith(b".cortex/") or path.startswith(b"pending/")):
        path = (memory.group(1) or b"") + b"memory-" + memory.group(2)
    return PATTERN.sub(b"removed", path)

def ref(name):
    return PATTERN.sub(b"removed", name)

if __name__ == "__main__":
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in FILES:
        at = os.path.join(os.fsencode(root), name)
        if os.path.isfile(at) and not os.path.islink(at):
            with open(at, "rb") as file:
                data = file.read()
            if PATTERN.search(data):
                with open(at, "wb") as file:
                    file.write(text(data))
