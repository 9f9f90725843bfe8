package trust

import (
	"errors"
	"slices"
	"strconv"
	"time"
)

// Bounds of what a hook or a server spends on finding out what to trust.
const (
	leisure = 20 * time.Second // at a time, where the caller names no other
	tries   = 3                // for one commit; after a commit that took too long, one for each that follows
)

// ErrUnfinished is returned to a hook where it takes longer than a hook may to find out
// what to trust, and nothing is known of the commit yet.
var ErrUnfinished = errors.New("finding out which memories to trust takes longer than a hook may: cortex status does it once")

// verdict tells of one commit which memories are not trusted.
type verdict struct {
	head  string
	all   bool     // everything is trusted
	tried int      // times that it took too long since it was found out last
	state string   // what it depends on besides; "" if nothing was found out yet
	waits []string // what is not trusted
}

// parseVerdict reads what was noted as far as it is of head.
func parseVerdict(words []string, head string) verdict {
	v := verdict{head: head}
	if len(words) == 2 && words[0] == head {
		v.all = words[1] == "all"
		return v
	}
	if len(words) < 3 {
		return v
	}
	tried, err := strconv.Atoi(words[1])
	switch {
	case err != nil:
	case words[0] == head:
		v.tried, v.state, v.waits = tried, words[2], words[3:]
	case tried > 0:
		v.tried = tries - 1
	}
	return v
}

func (v verdict) words() []string {
	if v.all {
		return []string{v.head, "all"}
	}
	return append([]string{v.head, strconv.Itoa(v.tried), v.state}, v.waits...)
}

func (v verdict) same(other verdict) bool { return slices.Equal(v.words(), other.words()) }

// blobs is the answer: what is trusted once stays so, and so does an older verdict about
// the same commit.
func (v verdict) blobs() (map[string]bool, error) {
	if v.all {
		return nil, nil
	}
	if v.state == "" {
		return nil, ErrUnfinished
	}
	set := make(map[string]bool, len(v.waits))
	for _, w := range v.waits {
		set[w] = true
	}
	return set, nil
}
