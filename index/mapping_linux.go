package index

import "golang.org/x/sys/unix"

// populate asks for all pages at once: they are all about to be verified.
const populate = unix.MAP_POPULATE
