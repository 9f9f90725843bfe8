// Package notices collects what a person should hear once, from whatever part of an opened
// project met it: a policy file that could not be used, a journal that had to be healed.
// Call [List.Add] where it happens and [List.Take] where it is printed.
package notices

import (
	"fmt"
	"slices"
	"sync"
)

// List is lines for a person. Its zero value is empty. It is safe for concurrent use.
type List struct {
	mu    sync.Mutex
	lines []string
}

// Add adds a line, once until it is taken.
func (l *List) Add(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.lines, line) {
		l.lines = append(l.lines, line)
	}
}

// Take returns the lines that were added since it was called last.
func (l *List) Take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// Counted words a number of things: "1 commit", "3 commits".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Memories words a number of memories.
func Memories(n int) string { return Counted(n, "memory", "memories") }
