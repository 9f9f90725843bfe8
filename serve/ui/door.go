package ui

import (
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

// Door writes a file that sends the browser which opens it to an address, and returns its
// path and what removes it. Only this user can read it: the arguments of a program, as of the one that opens
// the browser, can be read by others, and the address has the token. It is written in a
// new folder in dir, or in that for temporary files where dir is "" or cannot be used.
func Door(dir, address string) (path string, remove func(), err error) {
	folder, err := os.MkdirTemp(dir, "cortex-ui-")
	if err != nil && dir != "" {
		folder, err = os.MkdirTemp("", "cortex-ui-")
	}
	if err != nil {
		return "", nil, fmt.Errorf("making a folder for the address: %w", err)
	}
	to := html.EscapeString(address)
	page := "<!doctype html>\n<meta charset=utf-8>\n<meta name=referrer content=no-referrer>\n" +
		"<meta http-equiv=refresh content=\"0;url=" + to + "\">\n<title>Cortex</title>\n<p><a href=\"" + to +
		"\">Cortex</a>\n"
	path = filepath.Join(folder, "open.html")
	remove = func() { _ = os.RemoveAll(folder) }
	if err := atomicfile.WritePath(path, []byte(page), atomicfile.Options{Mode: 0o600, NoSync: true}); err != nil {
		return "", nil, errors.Join(fmt.Errorf("writing a file with the address: %w", err), os.RemoveAll(folder))
	}
	return path, remove, nil
}
