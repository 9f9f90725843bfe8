package agents

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEdits: whatever tool changes files, what goes and what comes is known of each of them.
func TestEdits(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: gate/open.go\n@@ func open\n-\tx()\n+\ty()\n+\tz()\n kept\n" +
		"*** Add File: gate/shut.go\n+package gate\n*** End Patch\n"
	patched := toolCall{
		File: "gate/open.go", Old: "\tx()\n", New: "\ty()\n\tz()\n",
		Beside: []toolCall{{File: "gate/shut.go", New: "package gate\n"}},
	}
	for name, tt := range map[string]struct {
		input any
		want  toolCall
	}{
		"one edit": {
			map[string]any{"file_path": "a.go", "old_string": "x", "new_string": "y"},
			toolCall{File: "a.go", Old: "x", New: "y"},
		},
		"several edits": {
			map[string]any{"file_path": "a.go", "edits": []any{
				map[string]any{"old_string": "x", "new_string": "y"}, map[string]any{"old_string": "p", "new_string": "q", "replace_all": true},
			}},
			toolCall{File: "a.go", Old: "x\np\n", New: "y\nq\n"},
		},
		"a patch":             {map[string]any{"command": "apply_patch <<'EOF'\n" + patch + "EOF"}, patched},
		"a patch as input":    {map[string]any{"input": patch}, patched},
		"a patch of no files": {map[string]any{"command": "echo '*** Begin Patch'"}, toolCall{Command: "echo '*** Begin Patch'"}},
		"edits of other form": {map[string]any{"file_path": "a.go", "edits": "none"}, toolCall{File: "a.go"}},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(tt.input)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, callOf(raw)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
