package main

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
)

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "just now", 0: "just now", 59 * time.Second: "just now",
		time.Minute: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		time.Hour: "1 hour ago", 47 * time.Hour: "1 day ago", 59 * 24 * time.Hour: "59 days ago",
		60 * 24 * time.Hour: "2 months ago", 800 * 24 * time.Hour: "2 years ago",
	} {
		if got := output.Ago(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
