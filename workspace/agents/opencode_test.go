package agents

import (
	"slices"
	"testing"
	"time"
)

// TestUnreadListed: the newest two that have changed since they were read are read on.
func TestUnreadListed(t *testing.T) {
	day := (24 * time.Hour).Milliseconds()
	all := []listed{{"old", 10 * day}, {"read", 40 * day}, {"a", 39 * day}, {"b", 41 * day}, {"grown", 40*day + 1}, {"", 41 * day}}
	read := map[string]int64{"read": 40 * day, "grown": 40 * day}
	if got := unreadListed(all, read); !slices.Equal(got, []string{"b", "grown"}) {
		t.Errorf("%v", got)
	}
	read["b"], read["grown"] = 41*day, 40*day+1
	if got := unreadListed(all, read); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%v", got)
	}
	if got := unreadListed(nil, nil); got != nil {
		t.Errorf("%v", got)
	}
}
