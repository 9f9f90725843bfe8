package agents

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestQuestionBounds: a question names the notes that it has tokens for, and none rather than one too many.
func TestQuestionBounds(t *testing.T) {
	short := "The pump starts late"
	plain := "`openValve` receives `pumps[*].limit` and closes it for each pump …"
	long := strings.Repeat("`x9_$Z`=0xQ7;", 7)[:noteNamed]
	for _, tt := range []struct {
		notes []string
		named int
	}{
		{nil, 0},
		{[]string{short}, 1},
		{[]string{short, short, short}, 3},
		{[]string{plain, plain, plain}, 2},
		{[]string{long, short, long}, 1},
		{[]string{long, long, long}, 0},
	} {
		text := questionNaming(tt.notes)
		if n := memory.Tokens(text); n > askTokens {
			t.Errorf("%q: %d tokens", tt.notes, n)
		}
		if n := strings.Count(text, "\n- "); n != tt.named {
			t.Errorf("%q: %d notes are named, want %d (%d tokens)\n%s", tt.notes, n, tt.named, memory.Tokens(text), text)
		}
		if !strings.Contains(text, askText) || strings.Contains(text, "Noted") != (tt.named > 0) {
			t.Errorf("%q: it asks %q", tt.notes, text)
		}
	}
}
