package mapped

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// populateFlag makes a mapping with all its pages.
const populateFlag = unix.MAP_POPULATE

// hugeFrom is the size from which memory is sure to hold a huge page.
const hugeFrom = 4 << 20

// populate asks for the pages of fresh memory at once (Linux 5.14; older ones
// refuse, which does not matter).
func populate(b []byte) {
	page := uintptr(os.Getpagesize())
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := (page - at%page) % page
	if n := (uintptr(len(b)) - skip) &^ (page - 1); skip < uintptr(len(b)) && n > 0 {
		if n >= hugeFrom {
			_ = unix.Madvise(b[skip:skip+n], unix.MADV_HUGEPAGE)
		}
		_ = unix.Madvise(b[skip:skip+n], unix.MADV_POPULATE_WRITE)
	}
}
