package diary

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	hooks    = 150 * time.Millisecond
	searches = 200 * time.Millisecond
	patient  = 0
)

// TestEndpointRests: an endpoint that fails is left alone, longer each time, and
// never for ever.
func TestEndpointRests(t *testing.T) {
	d, clock := open(t)
	e := d.Endpoint("http://localhost:1/v1 m")
	resting := func(when string, wait time.Duration, want bool) {
		t.Helper()
		if err := e.Resting(wait); (err != nil) != want {
			t.Errorf("%s, for one who waits %v: %v", when, wait, err)
		}
	}
	resting("before anything", hooks, false)
	e.Failed(0, errors.New("connection refused\nwith a secret"))
	resting("refused", hooks, true)
	resting("refused", time.Hour, true)
	resting("refused", patient, false)
	if err := d.Endpoint("http://localhost:2/v1 m").Resting(hooks); err != nil {
		t.Errorf("another endpoint: %v", err)
	}
	if err := e.Resting(hooks); err == nil || !strings.Contains(err.Error(), "connection refused with a ***; it is asked again in 30s") {
		t.Errorf("it says %v", err)
	}
	*clock = clock.Add(30 * time.Second)
	resting("after its rest", hooks, false)
	for range 20 {
		e.Failed(0, errors.New("connection refused"))
	}
	*clock = clock.Add(29 * time.Minute)
	resting("after many failures", hooks, true)
	*clock = clock.Add(time.Minute)
	resting("after the longest rest", hooks, false)
	e.Failed(0, errors.New("connection refused"))
	*clock = clock.Add(-time.Hour)
	resting("when the clock was wrong", hooks, false)
	*clock = clock.Add(time.Hour)
	e.Answered(hooks)
	resting("after an answer", hooks, false)
	if err := e.Trouble(); err != nil {
		t.Errorf("after an answer: %v", err)
	}
}

// TestEndpointIsSlow: that it is too slow for a hook keeps no search from asking,
// and an answer to a search does not send hooks there again.
func TestEndpointIsSlow(t *testing.T) {
	d, _ := open(t)
	e := d.Endpoint("m")
	e.Failed(hooks, errors.New("no answer within 150ms"))
	if e.Resting(hooks) == nil || e.Resting(searches) != nil {
		t.Errorf("after a hook: hooks %v, searches %v", e.Resting(hooks), e.Resting(searches))
	}
	e.Answered(searches)
	if e.Resting(hooks) == nil {
		t.Error("an answer to a search sends hooks there again")
	}
	e.Failed(searches, errors.New("no answer within 200ms"))
	if e.Resting(hooks) == nil || e.Resting(searches) == nil || e.Resting(time.Second) != nil {
		t.Error("after a search all who wait less rest")
	}
	e.Answered(patient)
	if e.Resting(hooks) != nil {
		t.Error("an answer to one who waits as long as it takes mends all")
	}
}

func TestEndpointsAreBounded(t *testing.T) {
	d, clock := open(t)
	for i := range 3 * keptEndpoints {
		*clock = clock.Add(time.Second)
		d.Endpoint(fmt.Sprint(i)).Failed(0, errors.New("no"))
	}
	if n := len(load[trouble](d, endpointsFile)); n != keptEndpoints {
		t.Errorf("%d endpoints are remembered", n)
	}
	if d.Endpoint(fmt.Sprint(3*keptEndpoints-1)).Resting(hooks) == nil {
		t.Error("the last one is forgotten")
	}
}
