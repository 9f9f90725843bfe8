package session

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Skipped counts what of a transcript could not be read: an agent that changes
// its format must not go unnoticed.
type Skipped struct {
	Broken  int            // lines that are no JSON object
	TooLong int            // lines over the limit
	Unknown map[string]int // records, and parts of them, of types that are not known, by type
}

// Add adds what was skipped elsewhere.
func (k *Skipped) Add(more Skipped) {
	k.Broken += more.Broken
	k.TooLong += more.TooLong
	for name, n := range more.Unknown {
		if k.Unknown == nil {
			k.Unknown = map[string]int{}
		}
		k.Unknown[name] += n
	}
}

// Records is how many records of unknown types there were.
func (k *Skipped) Records() int {
	n := 0
	for _, of := range k.Unknown {
		n += of
	}
	return n
}

// Any reports whether anything was skipped.
func (k *Skipped) Any() bool { return k.Broken+k.TooLong+k.Records() > 0 }

// Types names the unknown types, the commonest first: "frob 400, blip 12". At most
// n are named, all for 0.
func (k *Skipped) Types(n int) string {
	names := slices.SortedFunc(maps.Keys(k.Unknown), func(a, b string) int {
		return cmp.Or(cmp.Compare(k.Unknown[b], k.Unknown[a]), strings.Compare(a, b))
	})
	var out []string
	for i, name := range names {
		if i == n && n > 0 {
			out = append(out, strconv.Itoa(len(names)-n)+" more types")
			break
		}
		out = append(out, name+" "+strconv.Itoa(k.Unknown[name]))
	}
	return strings.Join(out, ", ")
}

// maxTypes bounds the types that are read of a record.
const maxTypes = 64

// parseTypes reads what Types wrote.
func parseTypes(s string) map[string]int {
	var out map[string]int
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		i := max(0, strings.LastIndexByte(part, ' '))
		n := parseNumber(strings.TrimSpace(part[i:]))
		if i == 0 || n == 0 || len(out) == maxTypes {
			continue
		}
		if out == nil {
			out = map[string]int{}
		}
		out[strings.TrimSpace(part[:i])] = int(min(n, math.MaxInt32))
	}
	return out
}
