package gitops

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// parseTree256 decodes a tree of a sha256 repository. The tests of tree.go hold
// this file against go-git and the git binary.
func parseTree256(data []byte) ([]treeEntry, error) {
	const size = 32
	var entries []treeEntry
	for len(data) > 0 {
		mode, rest, ok := bytes.Cut(data, []byte{' '})
		name, rest, ok2 := bytes.Cut(rest, []byte{0})
		if !ok || !ok2 || len(rest) < size {
			return nil, errors.New("malformed tree")
		}
		if err := checkName(string(name)); err != nil {
			return nil, err
		}
		bits, err := filemode.New(string(mode))
		if err != nil {
			return nil, fmt.Errorf("malformed tree: %w", err)
		}
		entries = append(entries, treeEntry{canonical(bits), string(name), ObjectID(hex.EncodeToString(rest[:size]))})
		data = rest[size:]
	}
	return entries, nil
}

// canonical returns the mode as which git reads another one.
func canonical(mode filemode.FileMode) filemode.FileMode {
	switch kind := mode & 0o170000; {
	case kind == 0o100000 && mode&0o111 != 0:
		return filemode.Executable
	case kind == 0o100000:
		return filemode.Regular
	case kind == filemode.Dir, kind == filemode.Symlink:
		return kind
	}
	return filemode.Submodule
}

func formatTree256(entries []treeEntry) []byte {
	var data []byte
	for _, e := range entries {
		data = strconv.AppendUint(data, uint64(e.mode), 8)
		data = append(data, ' ')
		data = append(data, e.name...)
		data = append(data, 0)
		data, _ = hex.AppendDecode(data, []byte(e.id)) // formatTree has looked at it
	}
	return data
}

func formatCommit256(c commit) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", c.tree)
	for _, id := range []ObjectID{c.parent, c.merged} {
		if id != "" {
			fmt.Fprintf(&b, "parent %s\n", id)
		}
	}
	stamp := fmt.Sprintf("%s %d +0000", c.ident, c.when.Unix())
	fmt.Fprintf(&b, "author %s\ncommitter %s\n\n%s", stamp, stamp, c.message)
	return []byte(b.String())
}

func parseCommit256(data []byte) (commit, error) {
	var c commit
	head, message, _ := strings.Cut(string(data), "\n\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case key == "tree" && isHexID(value):
			c.tree = ObjectID(value)
		case key == "parent" && c.parent == "" && isHexID(value):
			c.parent = ObjectID(value)
		case key == "parent" && c.merged == "" && isHexID(value):
			c.merged = ObjectID(value)
		case key == "committer":
			fields := strings.Fields(value)
			if n := len(fields); n >= 2 {
				seconds, _ := strconv.ParseInt(fields[n-2], 10, 64)
				c.when = time.Unix(seconds, 0).UTC()
				c.ident = strings.Join(fields[:n-2], " ")
			}
		}
	}
	c.message = message
	if c.tree == "" {
		return c, errors.New("malformed commit")
	}
	return c, nil
}
