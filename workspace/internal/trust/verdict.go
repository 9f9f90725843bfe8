package trust

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
)

// Bounds of what a hook or a server spends on finding out what to trust.
const (
	leisure = 20 * time.Second // at a time, where the caller names no other
	tries   = 3                // of each for one commit; after a commit that took too long, one for each that follows
)

// caller is who asks within a limit. The tries of one are not those of the other: a
// server waits longer.
type caller int

const (
	hook caller = iota
	server
	callers
)

// interim is the state of a verdict that was not found out, but follows from that of an
// earlier commit. No answer of git has it.
const interim = "interim"

// ErrUnfinished is returned to a hook where it takes longer than a hook may to find out
// what to trust, and nothing is known of the commit yet.
var ErrUnfinished = errors.New("finding out which memories to trust takes longer than a hook may: " +
	"cortex status does it once")

// verdict tells of one commit which memories are not trusted.
type verdict struct {
	head  string
	all   bool         // everything is trusted
	tried [callers]int // times that it took each too long since it was found out last
	state string       // what it depends on besides; "" if nothing was found out yet
	waits []string     // what is not trusted
	last  *verdict     // what was found out about the commit before, where nothing was about this one
}

// parseVerdict reads what was noted: the verdict of head, or else what one of another
// commit says for it.
func parseVerdict(words []string, head string) verdict {
	noted, ok := parseWords(words)
	v := verdict{head: head}
	switch {
	case !ok:
		return v
	case noted.head == head:
		return noted
	}
	for who, n := range noted.tried {
		v.tried[who] = min(n, 1) * (tries - 1) // after a commit that took too long, one try is left
	}
	if noted.all || noted.state != "" {
		v.last = &noted
	}
	return v
}

func parseWords(words []string) (v verdict, ok bool) {
	if len(words) == 2 {
		return verdict{head: words[0], all: words[1] == "all"}, words[1] == "all"
	}
	if len(words) < 3 {
		return v, false
	}
	v = verdict{head: words[0], state: words[2], waits: words[3:]}
	for who, n := range strings.SplitN(words[1], "+", int(callers)) {
		tried, err := strconv.Atoi(n)
		if err != nil {
			return verdict{}, false
		}
		v.tried[who] = tried
	}
	return v, true
}

func (v verdict) words() []string {
	if v.all {
		return []string{v.head, "all"}
	}
	return append([]string{v.head, fmt.Sprintf("%d+%d", v.tried[hook], v.tried[server]), v.state}, v.waits...)
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
	set := lists.Set(v.waits)
	return set, nil
}

// follow is a verdict that holds until one is found out: what the commit before had, and
// was trusted there, is trusted; all that this commit has besides waits.
func (r *Rule) follow(ctx context.Context, v verdict) verdict {
	if v.last == nil {
		return v
	}
	folds := r.Settings(ctx).Folds
	before, err := r.committed(ctx, v.last.head, folds)
	if err != nil {
		return v
	}
	now, err := r.committed(ctx, v.head, folds)
	if err != nil {
		return v
	}
	trusted := before.all()
	for _, w := range v.last.waits {
		delete(trusted, w)
	}
	waits := slices.Clone(v.last.waits)
	for b := range now.all() {
		if !trusted[b] {
			waits = append(waits, b)
		}
	}
	slices.Sort(waits)
	v.state, v.waits, v.last = interim, slices.Compact(waits), nil
	return v
}
