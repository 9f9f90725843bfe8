//go:build !linux

package locks

// Process knows nothing of other processes here.
func Process(int) (args []string, parent int, ok bool) { return nil, 0, false }

// Processes cannot be told here.
func Processes() []int { return nil }

// Folder cannot be told here.
func Folder(int) string { return "" }
