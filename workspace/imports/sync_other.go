//go:build !linux

package imports

import "os"

// syncTogether does nothing on systems that cannot wait for many files at once.
func syncTogether(*os.Root) bool { return false }

// syncsTogether says whether this system has [syncTogether].
const syncsTogether = false
