package gitops

import "context"

// DriverState is how the merge drivers stand in this clone.
type DriverState struct {
	Config     bool // both drivers are in the repository's git configuration
	Attributes bool // info/attributes names them
	Problem    string
}

// InstallDrivers writes the merge drivers into the repository's own
// configuration and, after that, names them in info/attributes.
func (r *Repo) InstallDrivers(ctx context.Context, binary string) error { panic("TODO") }

// RemoveDrivers takes them out again, the attributes first.
func (r *Repo) RemoveDrivers(ctx context.Context) error { panic("TODO") }

// DriverState reads how the drivers stand; config may be nil and is then read.
func (r *Repo) DriverState(ctx context.Context, config *Config, binary string) (DriverState, error) {
	panic("TODO")
}

// MergeText merges three texts line by line with `git merge-file`. With clean
// false the result holds conflict markers.
func (r *Repo) MergeText(ctx context.Context, base, ours, theirs string) (merged string, clean bool, err error) {
	panic("TODO")
}
