package workspace

import (
	"fmt"
	"slices"
	"sync"
)

// notices are lines that a person should hear once, from whatever part of the
// workspace met them.
type notices struct {
	mu    sync.Mutex
	lines []string
}

// add notes a line, once until it is taken.
func (n *notices) add(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.lines, line) {
		n.lines = append(n.lines, line)
	}
}

func (n *notices) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	lines := n.lines
	n.lines = nil
	return lines
}

// Notice adds a line to what [Workspace.TakeNotices] returns.
func (w *Workspace) Notice(format string, args ...any) { w.notices.add(format, args...) }

// TakeNotices returns what a person should hear once since it was called last: a
// policy file that could not be used, a journal that had to be healed.
func (w *Workspace) TakeNotices() []string { return w.notices.take() }
