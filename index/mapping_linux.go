package index

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// populateFlag asks for all pages at once: they are all about to be verified.
const populateFlag = unix.MAP_POPULATE

// populate asks for the pages of fresh memory at once (Linux 5.14; older ones
// refuse, which does not matter).
func populate(b []byte) {
	page := uintptr(os.Getpagesize())
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := (page - at%page) % page
	if n := (uintptr(len(b)) - skip) &^ (page - 1); skip < uintptr(len(b)) && n > 0 {
		_ = unix.Madvise(b[skip:skip+n], unix.MADV_POPULATE_WRITE)
	}
}
