package contradiction_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

func TestFindContradictions(t *testing.T) {
	for _, tt := range []struct {
		older, newer string // "type: title", or with "answer " before it
		want         contradiction.Kind
		what         string
	}{
		{"rejected: Redis: one more server to run", "decision: Use Redis for the session cache", contradiction.Again, "redis"},
		{"rejected: Rejected Redis for the cache", "decision: Use Redis for caching", contradiction.Again, "redis"},
		{"rejected: Redis was rejected because it needs a server", "decision: We chose Redis over Memcached", contradiction.Again, "redis"},
		{"rejected: Use Redis for the job queue: it lost messages", "decision: Use Redis for the job queue", contradiction.Again, "redis"},
		{"rejected: Switch the job queue to Kafka", "decision: Move the job queue to Kafka", contradiction.Again, "kafka"},
		{"rejected: Turned down: Build from source: slow", "decision: Use build from source", contradiction.Again, "build"},
		{"decision: Use SQLite instead of Postgres for users", "decision: Use Postgres for users", contradiction.Again, "postgres"},
		{"decision: Chose Bluge over SQLite FTS5 for search", "decision: Switched from Bluge to SQLite FTS5", contradiction.Again, "sqlite fts5"},
		{"decision: Use Redis for sessions", "rejected: Redis for sessions: it loses them", contradiction.Dropped, "redis"},
		{"decision: Use yarn for the web client", "decision: Use pnpm instead of yarn", contradiction.Dropped, "yarn"},
		{"decision: Use Postgres for the user database", "decision: Use MySQL for the user database", contradiction.Answered, "postgres"},
		{"answer decision: Which queue should hold the jobs?: RabbitMQ", "answer decision: Which queue should hold the jobs?: Kafka", contradiction.Answered, "Which queue should hold the jobs?"},
		{"preference: Never use default exports", "decision: Use default exports in pages", contradiction.Again, "default exports"},

		{"decision: Use PostgreSQL for the job queue", "decision: Switch the job queue from PostgreSQL to RabbitMQ", contradiction.Dropped, "postgresql"},
		{"rejected: Kafka for the job queue: too much to run", "decision: Moved the job queue from PostgreSQL to Kafka", contradiction.Again, "kafka"},
		{"rejected: Kafka for the job queue: too much to run", "decision: Move the job queue to Kafka", contradiction.Again, "kafka"},
		{"rejected: Redis for the session cache: one more server", "decision: Go back to Redis for caching sessions", contradiction.Again, "redis"},
		{"rejected: Redis for the session cache: one more server", "decision: We try Redis as our session cache", contradiction.Again, "redis"},

		{"decision: The cache is Redis", "decision: The cache is memcached", contradiction.Answered, ""},
		{"decision: Redis for the cache", "decision: memcached for the cache", contradiction.Answered, ""},
		{"decision: RabbitMQ for the queue", "decision: Use Kafka for the queue", contradiction.Answered, ""},
		{"decision: Logs are kept for 30 days in S3", "decision: Keep logs for 30 days in GCS", contradiction.Answered, ""},

		{"decision: The service listens on port 8080", "decision: The service listens on port 9090", contradiction.Answered, ""},

		{"decision: The service listens on port 8080", "decision: The service listens on IPv6", "", ""},
		{"decision: The service listens on port 8080", "decision: The service listens on port 9090 for metrics", "", ""},
		{"decision: Uploads go to S3", "decision: Uploads go to the review queue first", "", ""},
		{"decision: Metrics go to Prometheus", "decision: Metrics go to the team every Monday", "", ""},
		{"decision: Logs are kept for 30 days in staging", "decision: Logs are kept for 90 days in production", "", ""},
		{"decision: Use React for the frontend", "decision: Use Jest for the frontend", "", ""},
		{"decision: The cache is Redis", "decision: The cache is shared", "", ""},
		{"decision: Use retries for the queue", "decision: Use Kafka for the queue", "", ""},
		{"decision: Alerts for the queue", "decision: Kafka for the queue", "", ""},
		{"rejected: Kafka for the job queue: too much to run", "decision: Move the reports to Kafka", "", ""},
		{"rejected: Left: it was narrow", "decision: Move the dialog to the left", "", ""},
		{"decision: Use PostgreSQL for users", "decision: Switch the job queue from PostgreSQL to RabbitMQ", "", ""},
		{"rejected: Rejected Redis for the cache", "decision: Use Redis for the job queue", "", ""},
		{"rejected: Redis: one more server", "decision: Use Redis Cluster", "", ""},
		{"decision: Use Redis for sessions", "decision: Use Redis for sessions only", "", ""},
		{"decision: Use Postgres for users", "decision: Use MySQL for analytics", "", ""},
		{"answer decision: Method: Binaries", "answer decision: Auth: Tokens", "", ""},
		{"rejected: It was too slow", "decision: Use it", "", ""},
		{"learned: Use Redis", "rejected: Redis: no", "", ""},
		{"rejected: microsoft_store.yml and delete_store_submission.yml are gone for good now", "decision: Use microsoft_store.yml", "", ""},
		{"decision: Replaced the loop", "decision: Use the loop", "", ""},
	} {
		read := func(s string, day int) *memory.Memory {
			layer := ""
			if len(s) > 7 && s[:7] == "answer " {
				layer, s = "answer", s[7:]
			}
			var typ, title string
			for i := range s {
				if s[i] == ':' {
					typ, title = s[:i], s[i+2:]
					break
				}
			}
			m := memory.New(memory.Type(typ), title, "", time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC))
			m.Source.Layer = layer
			return m
		}
		older, newer := read(tt.older, 1), read(tt.newer, 2)
		got := contradiction.Find([]*memory.Memory{newer, older}, anybody)
		switch {
		case tt.want == "" && len(got) == 0:
		case tt.want == "" || len(got) != 1:
			t.Errorf("%s | %s: %+v", tt.older, tt.newer, got)
		case got[0].Kind != tt.want || got[0].What != tt.what || got[0].Newer != newer:
			t.Errorf("%s | %s: %s %q, want %s %q", tt.older, tt.newer, got[0].Kind, got[0].What, tt.want, tt.what)
		}
		newer.Links = []memory.Link{{Rel: memory.Supersedes, To: older.ID}}
		if got := contradiction.Find([]*memory.Memory{newer, older}, anybody); len(got) > 0 {
			t.Errorf("%s | %s: superseded, and still %+v", tt.older, tt.newer, got)
		}
		newer.Links = []memory.Link{{Rel: memory.Contradicts, To: older.ID}}
		if got := contradiction.Find([]*memory.Memory{newer, older}, anybody); len(got) != 1 {
			t.Errorf("%s | %s: with a link: %+v", tt.older, tt.newer, got)
		}
	}
}

// TestRejectionOfAnyLetters: letters that are longer in lower case move no place in a title.
func TestRejectionOfAnyLetters(t *testing.T) {
	long := strings.Repeat("Ⱥ", 20)
	m := memory.New(memory.Rejected, long+" WAS REJECTED", "", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	if s := contradiction.Of(m); s.Against.Name != strings.ToLower(long) {
		t.Errorf("%+v", s)
	}
}

// TestFindMany: what is compared grows with the memories and not with their pairs.
func TestFindMany(t *testing.T) {
	var live []*memory.Memory
	for i := range 3 * 100 {
		m := memory.New(memory.Rejected, fmt.Sprintf("Redis: it failed in %d ways", i), "", time.Date(2026, 3, 1, 0, i, 0, 0, time.UTC))
		live = append(live, m)
	}
	last := memory.New(memory.Decision, "Use Redis for the cache", "", time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC))
	got := contradiction.Find(append(live, last), anybody)
	if len(got) != 100 || got[0].Newer != last {
		t.Fatalf("%d pairs", len(got))
	}
	for _, p := range got {
		if p.Older.Created.Before(live[2*100].Created) {
			t.Errorf("%v is not one of the latest", p.Older.Created)
		}
	}
}

// anybody lets every memory speak for others.
func anybody(*memory.Memory) bool { return true }
