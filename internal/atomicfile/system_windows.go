package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// syncDir does nothing: Windows has no sync for folders, NTFS journals names.
func syncDir(*os.Root, string) error { return nil }

// isBusy says whether a rename may work when a program that reads every new
// file, such as a virus scanner, has closed it.
func isBusy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_LOCK_VIOLATION) ||
		errors.Is(err, windows.ERROR_ACCESS_DENIED)
}
