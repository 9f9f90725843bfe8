package gitops

// syncDir does nothing: Windows has no sync for folders, NTFS journals names.
func syncDir(string) error { return nil }
