package house

// insideIndex are the rooms that only index and its rooms enter, with what each
// may import.
func insideIndex() map[string][]string {
	return map[string][]string{
		"index/internal/cachefile": {"internal/atomicfile"},
		"index/internal/mapped":    {},
		"index/internal/stamp":     {"index/internal/cachefile"},
		"index/internal/tokenizer": {"index/internal/mapped"},
		"index/internal/words":     {},
	}
}
