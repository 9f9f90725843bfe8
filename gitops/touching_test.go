package gitops

import "testing"

// TestTouching: commits are listed with what they did to the files that were asked for.
func TestTouching(t *testing.T) {
	ctx := t.Context()
	dir := initRepo(t)
	commit := func(message, name, text string) ObjectID {
		t.Helper()
		writeFile(t, dir+"/"+name, text)
		runGit(t, dir, "add", ".")
		runGit(t, dir, "commit", "-q", "-m", message)
		return ObjectID(runGit(t, dir, "rev-parse", "HEAD"))
	}
	one := commit("one", "a [x].txt", "1\n")
	two := commit("two", "b.txt", "2\n")
	writeFile(t, dir+"/b.txt", "3\n")
	three := commit("three", "a [x].txt", "3\n")
	h := openRepo(t, dir).History()
	got, err := h.Touching(ctx, "HEAD", []string{"a [x].txt", "b.txt"}, 10)
	if err != nil || len(got) != 3 || got[0].ID != three || got[1].ID != two || got[2].ID != one {
		t.Fatalf("%v, %v", got, err)
	}
	if c := got[0].Changes; len(c) != 2 || c[0].Path != "a [x].txt" || c[0].Old != got[2].Changes[0].New || c[1].Path != "b.txt" {
		t.Errorf("changes of the last commit: %v", c)
	}
	if got, err := h.Touching(ctx, string(one)+"..HEAD", nil, 10); err != nil || len(got) != 2 || got[1].Subject != "two" || got[1].Mail == "" || got[1].Changes != nil {
		t.Errorf("a range: %v, %v", got, err)
	}
	four := commit("four\x01"+string(one), "c.txt", "4\n")
	if got, err := h.Touching(ctx, "HEAD", []string{"c.txt", "b.txt"}, 10); err != nil || len(got) != 3 || got[0].ID != four || len(got[0].Changes) != 1 || got[0].Changes[0].Path != "c.txt" {
		t.Errorf("a subject with control characters: %v, %v", got, err)
	}
	if got, err := h.Touching(ctx, "nowhere", nil, 10); err != nil || got != nil {
		t.Errorf("a missing revision: %v, %v", got, err)
	}
}
