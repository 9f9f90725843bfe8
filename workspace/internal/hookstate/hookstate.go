// Package hookstate finds what a hook needs of a clone without git, which costs more
// than all the rest of a hook that runs before every command.
//
// Call [Find] for the clone, and [Place.Open] for the table by which memories are recalled. What was written by another
// user is not read, links on the way to the cache are refused, and a table that is not of the present state is as good
// as none.
package hookstate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Where a working tree has its memories and its settings, with slashes.
const (
	MemoriesDir = ".cortex/memories"
	ConfigPath  = ".cortex/config.yaml"
)

// Project is the small part of a project that a hook needs at a tool call. It is
// there if nothing changed since its table was made.
type Project struct {
	Root  string // top of the working tree
	Diary *diary.Diary
	Table *recall.Table

	moments []string // at which memories come back
	common  string   // folder of git that working trees share
}

// Former returns the files that have another name now: their present names by the old ones.
func (p *Project) Former() map[string]string {
	return facts.Former(&gitops.Repo{Root: p.Root, CommonDir: p.common}, folder.Folder{Root: p.Root})
}

// Recalls reports whether memories come back by themselves at a moment.
func (p *Project) Recalls(moment string) bool { return slices.Contains(p.moments, moment) }

// Open returns the table of a working tree. It is nil where there is none that is fresh. A
// table is only there in a clone that was set up. The caller closes the table.
func (p Place) Open(now func() time.Time) *Project {
	if !p.hasCache() || p.joining() {
		return nil
	}
	stamp, moments := p.fresh()
	if stamp == "" {
		return nil
	}
	table, err := recall.Open(p.Table())
	if err != nil {
		return nil
	}
	if table.Stamp() != stamp {
		_ = table.Close()
		return nil
	}
	return &Project{Root: p.Root, Diary: p.Diary(now), Table: table, moments: strings.Fields(moments), common: p.Common}
}

// fresh is the stamp that the table of the present state has, and at which moments memories come
// back; "" where there is none.
func (p Place) fresh() (stamp, moments string) {
	data, _ := os.ReadFile(p.Table() + freshEnding)
	state, rest, _ := strings.Cut(string(data), "\x00")
	if state == "" || state != p.State() {
		return "", ""
	}
	stamp, moments, _ = strings.Cut(rest, "\x00")
	return stamp, moments
}

// freshEnding is the ending of the file that says what a table was made of.
const freshEnding = ".fresh"

// KeepFresh says that a table is of a state, see [Place.State], and at which moments
// memories come back.
func (p Place) KeepFresh(state string, t *recall.Table, moments []string) error {
	if t.Stamp() == "" || p.Root == "" {
		return nil
	}
	name := p.Table() + freshEnding
	text := state + "\x00" + t.Stamp() + "\x00" + strings.Join(moments, " ")
	if have, _ := os.ReadFile(name); string(have) == text {
		return nil
	}
	if err := atomicfile.WritePath(name, []byte(text), atomicfile.Options{NoSync: true}); err != nil {
		return fmt.Errorf("keeping the table of triggers: %w", err)
	}
	return nil
}
