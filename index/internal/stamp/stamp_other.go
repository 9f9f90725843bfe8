//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package stamp

import "os"

// Of is the stamp of an open file, without a time of change; false when the file
// system does not say.
func Of(file *os.File) (Stamp, bool) {
	info, err := file.Stat()
	if err != nil {
		return Stamp{}, false
	}
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}, true
}
