package gitobject

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/git-cortex/cortex/internal/order"
)

// Mode is the mode of a tree entry.
type Mode = filemode.FileMode

// The modes of entries, as git reads them.
const (
	Dir        = filemode.Dir
	Regular    = filemode.Regular
	Executable = filemode.Executable
	Symlink    = filemode.Symlink
	Submodule  = filemode.Submodule
)

// Entry is one line of a git tree object.
type Entry struct {
	Mode Mode
	Name string
	ID   ID
}

// IsDir is true for a folder.
func (e Entry) IsDir() bool { return e.Mode == filemode.Dir }

// IsFile is true for what cortex reads: regular files, executable or not.
func (e Entry) IsFile() bool {
	return slices.Contains([]filemode.FileMode{filemode.Regular, filemode.Executable}, e.Mode)
}

// key orders entries as git does: a folder sorts as if its name ended in "/".
func (e Entry) key() string {
	if e.IsDir() {
		return e.Name + "/"
	}
	return e.Name
}

// Commit holds the parts of a commit object that the journal needs.
type Commit struct {
	Tree    ID
	Parent  ID // "" for the first
	Merged  ID // the second parent; "" for none
	When    time.Time
	Ident   string // "Name <mail>"
	Message string
}

// ParseTree decodes a tree. Here, as in the methods below, go-git does the work in
// sha1 repositories. Its object ids are 20 bytes, fixed when it is compiled, so
// the other repositories have code of their own in sha256.go.
//
// go-git costs 0.3 to 0.4 ms at the start of every process, for what
// plumbing/object imports (docs/design/0004-git-binary-and-go-git.md), and 1 to
// 3 µs for a commit or a small tree, where our own code takes 0.5 µs. A tree of
// 3,000 entries takes 1.4 ms instead of 1.1. That is about a hundredth of a stop
// hook.
func (f Format) ParseTree(data []byte) ([]Entry, error) {
	if f.SHA256 {
		return parseTree256(data)
	}
	var t object.Tree
	if err := t.Decode(encoded(plumbing.TreeObject, data)); err != nil {
		return nil, err
	}
	entries := make([]Entry, len(t.Entries))
	for i, e := range t.Entries {
		if err := checkName(e.Name); err != nil {
			return nil, err
		}
		entries[i] = Entry{e.Mode, e.Name, ID(e.Hash.String())}
	}
	return entries, nil
}

// FormatTree is the inverse of [Format.ParseTree]. It sorts entries in place.
func (f Format) FormatTree(entries []Entry) ([]byte, error) {
	order.Sort(entries, func(a, b Entry) int { return strings.Compare(a.key(), b.key()) })
	for _, e := range entries {
		if err := checkName(e.Name); err != nil {
			return nil, err
		}
		if len(e.ID) != len(f.None()) || !IsID(string(e.ID)) {
			return nil, fmt.Errorf("%q is not an object id", e.ID)
		}
	}
	if f.SHA256 {
		return formatTree256(entries), nil
	}
	t := object.Tree{Entries: make([]object.TreeEntry, len(entries))}
	for i, e := range entries {
		t.Entries[i] = object.TreeEntry{Name: e.Name, Mode: e.Mode, Hash: plumbing.NewHash(string(e.ID))}
	}
	return content(&t)
}

// checkName refuses what no tree may name: neither go-git nor git's own decoder
// minds a slash.
func checkName(name string) error {
	if name == "" || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("%q is not the name of a tree entry", name)
	}
	return nil
}

// ParseCommit decodes a commit.
func (f Format) ParseCommit(data []byte) (Commit, error) {
	if f.SHA256 {
		return parseCommit256(data)
	}
	var c object.Commit
	if err := c.Decode(encoded(plumbing.CommitObject, data)); err != nil {
		return Commit{}, err
	}
	out := Commit{
		Tree: ID(c.TreeHash.String()), When: c.Committer.When.UTC(),
		Ident: c.Committer.String(), Message: c.Message,
	}
	var parents []ID
	for _, parent := range c.ParentHashes {
		parents = append(parents, ID(parent.String()))
	}
	out.setParents(parents)
	return out, nil
}

// setParents keeps the first two parents.
func (c *Commit) setParents(ids []ID) {
	ids = append(ids, "", "")
	c.Parent, c.Merged = ids[0], ids[1]
}

// FormatCommit encodes a commit, with one signature for author and committer.
func (f Format) FormatCommit(c Commit) ([]byte, error) {
	if f.SHA256 {
		return formatCommit256(c), nil
	}
	name, mail, _ := strings.Cut(c.Ident, " <")
	who := object.Signature{Name: name, Email: strings.TrimSuffix(mail, ">"), When: c.When.UTC()}
	out := object.Commit{TreeHash: plumbing.NewHash(string(c.Tree)), Author: who, Committer: who, Message: c.Message}
	for _, id := range []ID{c.Parent, c.Merged} {
		if id != "" {
			out.ParentHashes = append(out.ParentHashes, plumbing.NewHash(string(id)))
		}
	}
	return content(&out)
}

// encoded is an object as go-git reads it.
func encoded(kind plumbing.ObjectType, data []byte) plumbing.EncodedObject {
	o := new(plumbing.MemoryObject)
	o.SetType(kind)
	_, _ = o.Write(data) // into memory
	return o
}

// content is an object as go-git writes it.
func content(o interface {
	Encode(plumbing.EncodedObject) error
},
) ([]byte, error) {
	out := new(plumbing.MemoryObject)
	if err := o.Encode(out); err != nil {
		return nil, err
	}
	r, err := out.Reader()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
