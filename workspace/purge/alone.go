package purge

import (
	"fmt"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// BusyError says that another cortex works in the clone: it may write what is to go, and
// what it writes while histories are rewritten is lost.
type BusyError struct {
	PID     int
	Command string // such as "mcp"
}

func (e *BusyError) Error() string {
	name := "cortex"
	if e.Command != "" {
		name += " " + e.Command
	}
	return fmt.Sprintf("%s works in this clone (process %d): what it writes meanwhile would be lost", name, e.PID)
}

// Alone returns a *[BusyError] while another cortex works in the clone, as far as the
// system tells.
func Alone(w *workspace.Workspace) error {
	for _, other := range gitops.Workers(w.Repo) {
		return &BusyError{other.PID, other.Command}
	}
	return nil
}
