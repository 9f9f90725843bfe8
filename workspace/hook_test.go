package workspace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseHookPayload(t *testing.T) {
	got, err := ParseHookPayload([]byte(`{"session_id":"s","transcript_path":"/t","cwd":"/c","hook_event_name":"Stop","stop_hook_active":true,"effort":{"level":1},"prompt":"p","source":"resume","last_assistant_message":"m"}`))
	want := HookPayload{SessionID: "s", TranscriptPath: "/t", Cwd: "/c", Event: "Stop", Source: "resume", Prompt: "p", LastMessage: "m"}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", " \n", "null?", "[]", "7", `"x"`, `{"session_id":`, `{"session_id":7}`, "{} {}", "\xff"} {
		if _, err := ParseHookPayload([]byte(bad)); err == nil {
			t.Errorf("%q: want an error", bad)
		}
	}
}
