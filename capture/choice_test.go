package capture

import "testing"

// TestChoice: the number or letter of an option stands for its text, however it is
// picked.
func TestChoice(t *testing.T) {
	const offered = "Two ways:\n\n1. Move the limits to a file\n2. Keep the table and bound it\n3. Read them at each start\n\nWhich one?"
	for _, x := range []struct{ said, choice, rest string }{
		{"2", "Keep the table and bound it", ""},
		{"option 2, but log it", "Keep the table and bound it", "but log it"},
		{"go for option 1, and test it", "Move the limits to a file", "and test it"},
		{"3 is better, implement it", "Read them at each start", "implement it"},
		{"I'd pick the second one", "Keep the table and bound it", ""},
		{"is it 2 or more", "", ""},
		{"better look again", "", ""},
		{"9", "", ""},
	} {
		choice, rest := choiceOf(x.said, offered)
		if choice != x.choice || rest != x.rest {
			t.Errorf("%q chooses %q and says %q, want %q and %q", x.said, choice, rest, x.choice, x.rest)
		}
	}
}
