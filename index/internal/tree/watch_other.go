//go:build !linux

package tree

// Watch counts what happens to folders. There is none on this system.
type Watch struct{}

// NewWatch returns a watch of no folder. It is false where the system has none, or no
// more of them.
func NewWatch() (*Watch, bool) { return nil, false }

// Add watches the folder that is at an absolute path now. One that was not watched
// already counts as something that happened: until now nobody saw what did. It is false
// where the folder cannot be watched.
func (*Watch) Add(string) bool { return false }

// Happened is how many things have happened since the watch was made. It is false
// when that is not known any more: too many have, or the watch was lost.
func (*Watch) Happened() (count int, ok bool) { return 0, false }

// Close ends the watch.
func (*Watch) Close() {}
