package hub

import (
	"crypto/subtle"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	core "github.com/git-cortex/cortex/hub"
)

// bounds of the histogram of answers, in seconds.
func bounds() []float64 { return []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10} }

// metrics counts requests. It is safe for concurrent use.
type metrics struct {
	mu    sync.Mutex
	count map[labels]*series
}

// labels tell series apart. What a caller sends is none of them.
type labels struct {
	request string // the pattern that was asked for
	code    int
}

// series is the requests of some labels.
type series struct {
	below   []uint64 // each of bounds, and all
	seconds float64
}

// note counts a request.
func (m *metrics) note(request string, code int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.count[labels{request, code}]
	if s == nil {
		s = &series{below: make([]uint64, len(bounds())+1)}
		m.count[labels{request, code}] = s
	}
	s.seconds += took.Seconds()
	for i, bound := range bounds() {
		if took.Seconds() <= bound {
			s.below[i]++
		}
	}
	s.below[len(s.below)-1]++
}

// write writes all series as OpenMetrics.
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	head(w, "cortex_hub_request_seconds", "histogram", "how long answers took, in seconds")
	for _, l := range slices.SortedFunc(maps.Keys(m.count), func(a, b labels) int {
		return strings.Compare(a.String(), b.String())
	}) {
		s := m.count[l]
		for i, bound := range bounds() {
			fmt.Fprintf(w, "cortex_hub_request_seconds_bucket{%s,le=\"%g\"} %d\n", l, bound, s.below[i])
		}
		all := s.below[len(s.below)-1]
		fmt.Fprintf(w, "cortex_hub_request_seconds_bucket{%s,le=\"+Inf\"} %d\n", l, all)
		fmt.Fprintf(w, "cortex_hub_request_seconds_sum{%s} %g\n", l, s.seconds)
		fmt.Fprintf(w, "cortex_hub_request_seconds_count{%s} %d\n", l, all)
	}
}

func (l labels) String() string { return fmt.Sprintf("request=%q,code=\"%d\"", l.request, l.code) }

func head(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# TYPE %s %s\n# HELP %s %s\n", name, kind, name, help)
}

// measure answers with all figures as OpenMetrics, to who has the token of the settings: totals of all repositories
// are not for callers. Without a token there is no such page.
func (s *server) measure(w http.ResponseWriter, r *http.Request) {
	if s.Metrics == "" {
		http.NotFound(w, r)
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+s.Metrics)) != 1 {
		s.fail(w, core.ErrDenied)
		return
	}
	w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
	s.requests.write(w)
	s.repositories(w)
	_, _ = io.WriteString(w, "# EOF\n")
}

// repositories writes how the repositories stand.
func (s *server) repositories(w io.Writer) {
	states, memories, problems, late := map[core.State]int{}, 0, 0, 0.0
	for _, r := range s.Hub.Repos() {
		states[r.State]++
		for _, f := range r.Files {
			if f.Problem == "" {
				memories++
			} else {
				problems++
			}
		}
		if r.Outdated() {
			late = max(late, s.Now().Sub(r.Checked).Seconds())
		}
	}
	head(w, "cortex_hub_repositories", "gauge", "repositories by state")
	for _, state := range []core.State{core.New, core.Ready, core.Stale, core.Gone, core.Parked} {
		name := string(state)
		if state == core.New {
			name = "new"
		}
		fmt.Fprintf(w, "cortex_hub_repositories{state=%q} %d\n", name, states[state])
	}
	jobs := s.Hub.Jobs()
	for _, one := range []struct {
		name, kind, help string
		value            float64
	}{
		{"cortex_hub_memories", "gauge", "memories that are held", float64(memories)},
		{"cortex_hub_problems", "gauge", "files that are no memories", float64(problems)},
		{"cortex_hub_stale_seconds", "gauge", "since when the repository that is stale longest was not read", late},
		{"cortex_hub_jobs", "counter", "looks at repositories", float64(jobs.Done)},
		{"cortex_hub_failed_jobs", "counter", "looks at repositories that failed", float64(jobs.Failed)},
	} {
		head(w, one.name, one.kind, one.help)
		if one.kind == "counter" {
			one.name += "_total"
		}
		fmt.Fprintf(w, "%s %g\n", one.name, one.value)
	}
}
