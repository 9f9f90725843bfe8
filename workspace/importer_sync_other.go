//go:build !linux

package workspace

import "os"

// syncTogether is for systems that can wait for many files at once.
func syncTogether(*os.Root) bool { return false }

// syncsTogether says whether this system has [syncTogether].
const syncsTogether = false
