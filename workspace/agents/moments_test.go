package agents

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-cortex/cortex/index/recall"
)

// TestMoments: every kind of moment can be described by hand, in its own member.
func TestMoments(t *testing.T) {
	var kinds []recall.Kind
	var a Asked
	for _, d := range Moments() {
		kinds = append(kinds, d.Kind)
		*d.In(&a) = d.Name()
	}
	if !slices.Equal(kinds, recall.Kinds()) {
		t.Errorf("moments %v, kinds %v", kinds, recall.Kinds())
	}
	if want := (Asked{Prompt: "prompt", Command: "command", File: "file", Search: "search", Question: "question", Error: "error"}); a != want {
		t.Errorf("%+v", a)
	}
	for _, tt := range []struct {
		asked Asked
		want  error
	}{
		{Asked{}, ErrNoMoment},
		{Asked{Prompt: " "}, ErrNoMoment},
		{Asked{Error: "x"}, nil},
		{Asked{Search: "x"}, nil},
		{Asked{Question: "x"}, nil},
		{Asked{Command: "x", Error: "y"}, nil},
		{Asked{File: "x", Error: "y"}, nil},
		{Asked{Command: "x", File: "y"}, ErrMoments},
		{Asked{Search: "x", Question: "y"}, ErrMoments},
		{Asked{Search: "x", Error: "y"}, ErrMoments},
		{Asked{Prompt: "x", Error: "y"}, ErrMoments},
	} {
		if err := tt.asked.Check(); !errors.Is(err, tt.want) {
			t.Errorf("%+v: %v", tt.asked, err)
		}
	}
}

// TestMomentsApart: without ids of calls, two searches are two moments, and so are two
// questions; the same one reported twice is one.
func TestMomentsApart(t *testing.T) {
	moments := map[string]bool{}
	for _, task := range []string{"find the poller", "find the parser", "find the poller"} {
		p := HookPayload{ToolName: "Task", ToolInput: []byte(`{"prompt": "` + task + `"}`)}
		moments[p.moment(recall.Question)] = true
	}
	if len(moments) != 2 {
		t.Errorf("two tasks, one of them reported twice, are %d moments", len(moments))
	}
}
