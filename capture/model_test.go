package capture

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// TestModel: a memory of an agent's words names the model that the session ran on when
// they were said, whichever agent wrote the transcript; one of a person's names none.
func TestModel(t *testing.T) {
	for _, file := range append(bundles(t), fixtures(t)...) {
		data := load(t, file)
		want := transcript.Identify(data).Model
		switch filepath.Base(file) { // the head of an export does not say
		case "opencode-by-hand.json":
			want = "sonnet"
		case "opencode-1.18.33-orchard.json":
			want = "mock"
		}
		if want == "" {
			continue // of a transcript that names none
		}
		kept := capture(t, data, Options{}).held()
		for _, m := range kept {
			if human := m.Source.Agent == memory.Human; human && m.Source.Model != "" || !human && m.Source.Model != want {
				t.Errorf("%s: model %q, want %q: %s", file, m.Source.Model, want, m.Title)
			}
		}
	}
}

// TestModelChanges: after a change of the model, memories name the new one, and a
// person's words none; a later run knows the same.
func TestModelChanges(t *testing.T) {
	line := func(uuid, who, model, words string) string {
		return `{"parentUuid":null,"isSidechain":false,"userType":"external","type":"` + who + `","uuid":"` + uuid + `","sessionId":"s-1","cwd":"/r","timestamp":"2026-03-02T09:00:00Z","message":{"role":"` + who + `","model":"` + model + `","content":[{"type":"text","text":` + jsonOf(words) + `}]}}` + "\n"
	}
	first := line("a", "user", "", "[MEMORY: decision] We keep segments because a backup is one copy") +
		line("b", "assistant", "opus-4", "[MEMORY: gotcha] The reader takes a cut segment for complete") +
		line("c", "user", "", "Go on.")
	second := line("d", "assistant", "fable-5", "[MEMORY: fix] The reader checks the length of a segment now") +
		line("e", "user", "", "Thanks.") + line("f", "assistant", "<synthetic>", "No response requested.")
	want := []string{"", "opus-4", "fable-5"}
	var got []string
	for _, m := range capture(t, []byte(first+second), Options{}).held() {
		got = append(got, m.Source.Model)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("models %q, want %q", got, want)
	}
	part := capture(t, []byte(first), Options{Inode: 1})
	rest := capture(t, []byte(first+second), Options{Inode: 1, Previous: part.Session, Earlier: part.Memories()})
	for _, m := range rest.held() {
		if !rest.Resumed || m.Source.Model != "fable-5" {
			t.Errorf("of a later run: model %q, resumed %v: %s", m.Source.Model, rest.Resumed, m.Title)
		}
	}
}
