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

// Lstat is the stamp of what is at a path, not behind a link there.
func Lstat(name string) (Stamp, bool) {
	info, err := os.Lstat(name)
	if err != nil {
		return Stamp{}, false
	}
	return Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}, true
}
