package memory

import (
	"cmp"
	"fmt"
)

// The scopes of FORMAT.md, "Types": where a memory holds.
const (
	ScopeBranch     = "branch"     // where the code is that it speaks of
	ScopeRepository = "repository" // on every branch
	// ScopeGlobal is wherever the user works: it is about them, and a person says whether it
	// goes to their own store.
	ScopeGlobal = "global"
)

// HoldPrivate is the reason to hold a memory that may not be for everybody who reads
// the repository.
const HoldPrivate = "private"

func parseScope(s string) (string, error) {
	switch s {
	case ScopeBranch, ScopeRepository, ScopeGlobal:
		return s, nil
	}
	return "", fmt.Errorf("%q is not a scope: branch, repository or global", s)
}

// Holds is where the memory holds.
func (m *Memory) Holds() string {
	return cmp.Or(m.Scope, m.Type.Scope())
}
