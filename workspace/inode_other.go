//go:build !unix

package workspace

import "io/fs"

// inodeOf identifies a file while it exists; 0 where the system has no such
// number.
func inodeOf(fs.FileInfo) uint64 { return 0 }

// ours reports whether a file is known to belong to the user that runs this
// process: here it is not.
func ours(fs.FileInfo) bool { return false }
