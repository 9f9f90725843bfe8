package policy

import "fmt"

// Version is the version of FORMAT.md that this program writes. A newer
// one is named by `format:` in config.yaml and by the file "format" of the
// journal; where neither stands, it is 1.
const Version = 1

// NewerError says that a part of the repository was written by a newer cortex.
// It is read as far as it goes, and nothing is written to it: this program
// could drop what it does not know.
type NewerError struct {
	What   string // config.yaml, or the journal
	Format int
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s is of format %d, and this cortex knows format %d: it is read, and nothing is written",
		e.What, e.Format, Version)
}
