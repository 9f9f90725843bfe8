package house

// indexRooms are the packages below index, with what each may import. Only
// those that siblings names too are for the layers above.
func indexRooms() map[string][]string {
	return map[string][]string{
		"index/embed":                           {"memory"},
		"index/graph":                           {"memory", "internal/sameness", "internal/words", "index", "index/internal/cachefile", "index/internal/entry", "index/internal/mapped", "index/internal/work", "internal/lists"},
		"index/internal/readfile":               {"memory"},
		"index/internal/work":                   {},
		"index/query":                           {"memory", "internal/words"},
		"index/recall":                          {"memory", "index/internal/cachefile", "index/internal/mapped", "internal/words", "internal/lists"},
		"index/embed/static":                    {"index/embed", "index/internal/mapped", "index/embed/static/internal/tokenizer", "internal/lists"},
		"index/embed/static/internal/tokenizer": {"index/internal/mapped", "internal/lists"},
		"index/vector":                          {"index/embed", "index/internal/cachefile", "index/internal/mapped", "internal/lists"},

		"index/internal/cachefile": {"internal/atomicfile"},
		"index/internal/entry":     {"memory", "internal/sameness", "index/internal/cachefile", "index/internal/mapped"},
		"index/internal/mapped":    {},
		"index/internal/postings":  {"memory", "index/internal/cachefile", "index/internal/mapped", "internal/stamp", "internal/words"},
		"index/internal/tree":      {"memory", "internal/stamp", "index/internal/cachefile", "index/internal/mapped", "index/internal/readfile", "index/internal/work", "internal/lists"},
		"internal/words":           {},
	}
}
