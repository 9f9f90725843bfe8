//go:build !linux

package gitops

// processOf knows nothing of other processes here.
func processOf(int) (args []string, parent int, ok bool) { return nil, 0, false }
