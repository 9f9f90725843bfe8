package view

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

func fullEntry() Entry {
	m := memory.New(memory.Decision, "Chose <Bluge>", "It needs no cgo.", time.Date(2026, 11, 20, 14, 3, 11, 0, time.UTC))
	m.ID = "k7q2m9xw4d3h8t5v"
	m.Updated = m.Created.Add(time.Hour)
	m.Confidence, m.Priority, m.Pinned, m.Contested = 0.75, 4, true, true
	m.Tags, m.Files, m.Entities = []string{"search"}, []string{"index/search.go"}, []string{"bluge"}
	m.Links = []memory.Link{{Rel: memory.Supersedes, To: "0123456789abcdef"}}
	m.Anchors = []memory.Anchor{{Path: "index/search.go", Blob: "9f2c"}}
	m.Triggers, m.Seen = []string{"command: go build"}, []string{"0b2c"}
	m.Scope, m.Hold = memory.ScopeBranch, memory.HoldPrivate
	m.Source = memory.Source{Agent: "claude-code", Session: "0b2c", Record: 412, Ref: "r1"}
	return Entry{Memory: m, Item: index.Item{Path: "a.md", Status: memory.StatusContested, Stage: index.Pending, Branch: "main", Effective: 0.12345, Stale: true}}
}

// TestEntryJSON is the shape "memory" of docs/json.md, to the byte.
func TestEntryJSON(t *testing.T) {
	bare := memory.New(memory.Fix, "Bare", "", time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC))
	bare.ID = "0123456789abcdef"
	for want, e := range map[string]Entry{
		`{"id":"k7q2m9xw4d3h8t5v","ref":"r1","type":"decision","title":"Chose <Bluge>","text":"It needs no cgo.","status":"contested",` +
			`"stage":"pending","path":"a.md","branch":"main","created":"2026-11-20T14:03:11Z","updated":"2026-11-20T15:03:11Z",` +
			`"confidence":0.75,"effective":0.123,"priority":4,"pinned":true,"tags":["search"],"files":["index/search.go"],` +
			`"entities":["bluge"],"links":[{"rel":"supersedes","to":"0123456789abcdef"}],"triggers":["command: go build"],"seen":["0b2c"],"scope":"branch","hold":"private",` +
			`"source":{"agent":"claude-code","session":"0b2c","record":412,"ref":"r1"},"stale":true}`: fullEntry(),
		`{"id":"0123456789abcdef","ref":"","type":"fix","title":"Bare","text":"","status":"","stage":"","path":"",` +
			`"created":"2026-11-20T00:00:00Z","confidence":1,"effective":0,"priority":7,"tags":[],"files":[],"entities":[],` +
			`"links":[],"source":{},"stale":false}`: {Memory: bare},
	} {
		got, err := e.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, string(got)))
		}
	}
}

// TestEntryJSONHasEveryKey: a key that is new in the table of a memory is in
// the shape too.
func TestEntryJSONHasEveryKey(t *testing.T) {
	e := fullEntry()
	data, err := e.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	hidden := []string{"anchors", "contested"} // stale and the status speak of them
	for _, f := range memory.Fields() {
		if _, ok := got[f.Key]; ok == slices.Contains(hidden, f.Key) {
			t.Errorf("%s is in the shape: %v", f.Key, ok)
		}
	}
}
