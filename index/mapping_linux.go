package index

import "golang.org/x/sys/unix"

// populateFlag asks for all pages at once: they are all about to be verified.
const populateFlag = unix.MAP_POPULATE
