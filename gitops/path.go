package gitops

// EncodeBranch makes one path component of a branch name: every byte outside
// [A-Za-z0-9._-], and a leading or trailing dot, becomes %XX. A detached HEAD,
// "", is "%".
func EncodeBranch(branch string) string { panic("TODO") }

// DecodeBranch is the inverse of [EncodeBranch]; ok is false for a component
// that EncodeBranch would not have written.
func DecodeBranch(component string) (branch string, ok bool) { panic("TODO") }

// PendingPrefix is the journal folder of a branch's pending memories.
func PendingPrefix(branch string) string { return "pending/" + EncodeBranch(branch) }
