package memory

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// blocks holds the lines of unknown keys by key, and the comments before the
// first key under "".
type blocks map[string]string

// mergeUnknown merges the lines of unknown keys key by key, so that keys which
// newer versions or other tools added on either side are kept. Comments before
// the first key are merged as a set of lines. If both sides changed something,
// the keys are sorted.
func mergeUnknown(base, ours, theirs string, first side) string {
	whole := pick(base, ours, theirs, first)
	if ours == base || theirs == base || ours == theirs {
		return whole
	}
	b, o, t := splitUnknown(base), splitUnknown(ours), splitUnknown(theirs)
	lines := func(from blocks) []string { return slices.Collect(strings.Lines(from[""])) }
	merged := strings.Join(mergeSet(lines(b), lines(o), lines(t), cmp.Compare), "")
	keys := slices.Concat(slices.Collect(maps.Keys(o)), slices.Collect(maps.Keys(t)))
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if key != "" {
			merged += pick(b[key], o[key], t[key], first)
		}
	}
	if comments(strings.SplitAfter(merged, "\n")) != merged {
		if _, err := readYAML(merged); err != nil {
			return whole
		}
	}
	return merged
}

// splitUnknown groups the lines by their keys.
func splitUnknown(unknown string) blocks {
	lines := strings.SplitAfter(unknown, "\n")
	entries, _ := readYAML(unknown) // none when there are only comments
	out := blocks{}
	end := len(lines)
	for _, e := range slices.Backward(entries) {
		out[e.key] = strings.Join(lines[e.line-2:end], "")
		end = e.line - 2
	}
	out[""] = strings.Join(lines[:end], "")
	return out
}
