package projection

import "github.com/git-cortex/cortex/memory"

// Merge is the three-way merge of a page by records, rendered canonically: for
// pages that [Render] wrote it equals rendering the merged set of memories.
// An empty base means that both sides added the page.
//
// Text merges bodies that both sides edited (git merge-file, the same function
// that merges memory files); nil keeps both texts and marks the record
// contested. A side's record is never dropped because the file was damaged: a
// page that was cut short or emptied does not count as a removal. Merge fails
// with a *[FormatError] when a side is not recognisable; the caller then
// leaves the file to git's own merge.
func Merge(kind Kind, base, ours, theirs []byte, text memory.TextMerge) ([]byte, error) {
	return nil, nil
}
