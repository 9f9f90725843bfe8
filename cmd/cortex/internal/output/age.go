package output

import (
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
)

// Ago words an age: "just now", "5 minutes ago", "3 days ago".
func Ago(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return console.Plural(int(d/time.Minute), "minute ago", "minutes ago")
	case d < day:
		return console.Plural(int(d/time.Hour), "hour ago", "hours ago")
	case d < 60*day:
		return console.Plural(int(d/day), "day ago", "days ago")
	case d < 730*day:
		return console.Plural(int(d/(30*day)), "month ago", "months ago")
	}
	return console.Plural(int(d/(365*day)), "year ago", "years ago")
}

// Milliseconds words how long something took.
func Milliseconds(ms float64) string {
	return time.Duration(ms * float64(time.Millisecond)).Round(100 * time.Microsecond).String()
}
