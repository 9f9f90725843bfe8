package explore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/capture/session"
)

func reading(id string, files ...string) *session.Session {
	return &session.Session{Agent: "claude-code", ID: id, Read: files}
}

func TestMapOf(t *testing.T) {
	all := readingsOf(sittingsOf([]*session.Session{
		reading("a", "README.md", "store/open.go", "store/log.go", "cmd/main.go"),
		reading("b", "store/open.go", "store/close.go", "cmd/main.go"),
		reading("c", "store/log.go"),              // one file of a folder says nothing of it
		reading("d", "queue/out.go", "README.md"), // and the session that started it
		reading("d/1", "queue/in.go"),             // a subagent
	}))
	for folder, want := range map[string]Map{
		"store": {Folder: "store", Sessions: 2, Files: []*MapFile{
			{Path: "store/open.go", Sessions: 2},
			{Path: "store/close.go", Sessions: 1},
			{Path: "store/log.go", Sessions: 1},
			{Path: "cmd/main.go", Sessions: 2},
		}},
		"queue": {Folder: "queue", Sessions: 1, Files: []*MapFile{
			{Path: "queue/in.go", Sessions: 1}, {Path: "queue/out.go", Sessions: 1},
		}},
	} {
		got, ok := all.of(folder)
		if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(MapFile{})); d != "" || !ok {
			t.Errorf("%s: %v, -want +got:\n%s", folder, ok, d)
		}
	}
	if m, ok := all.of("cmd"); ok {
		t.Errorf("a map of one file: %+v", m)
	}
	m, _ := all.of("queue")
	if !m.names("queue/in.go") || m.names("README.md") {
		t.Errorf("%+v", m.Files)
	}
}

// TestOfMany: a map has the files that most sessions read, and no more than can be taken in.
func TestMapOfMany(t *testing.T) {
	var list []*session.Session
	names := "abcdefghijkl"
	for i := range names {
		var files []string
		for _, c := range names[i:] {
			files = append(files, "x/"+string(c))
		}
		list = append(list, reading(string(names[i]), files...))
	}
	m, _ := readingsOf(sittingsOf(list)).of("x")
	if len(m.Files) != mostFiles || m.names("x/a") || !m.names("x/l") {
		t.Errorf("%+v", m.Files)
	}
}
