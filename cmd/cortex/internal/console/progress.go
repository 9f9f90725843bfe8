package console

import (
	"fmt"
	"strings"
	"time"
)

// LineBegin goes back to the start of a line of the terminal and clears it.
const LineBegin = "\r\x1b[K"

// Bar draws how far something is.
func Bar(done, total int64) string {
	full := int(30 * min(done, total) / max(total, 1))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", 30-full) + "] "
}

// Throughput says how much was read in a second.
func Throughput(bytes int64, took time.Duration) string {
	return fmt.Sprintf("%.1f MB/s", float64(bytes)/1e6/max(took.Seconds(), 0.001))
}
