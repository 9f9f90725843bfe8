package gitops

import "testing"

func TestAskedIn(t *testing.T) {
	amend, empty, no := Asked{Amend: true}, Asked{Empty: true}, Asked{}
	for name, tt := range map[string]struct {
		args  []string
		of    Asked
		known bool
	}{
		"commit":          {[]string{"git", "commit", "-m", "one"}, no, true},
		"amend":           {[]string{"/usr/bin/git", "-C", "x", "commit", "-q", "--amend", "--no-edit"}, amend, true},
		"shortened":       {[]string{"git.exe", "commit", "--am"}, amend, true},
		"taken back":      {[]string{"git", "commit", "--amend", "--no-amend"}, no, true},
		"another option":  {[]string{"git", "commit", "--all", "--allow-empty", "--author=x"}, empty, true},
		"no message":      {[]string{"git", "commit", "--allow-empty-message", "-m", ""}, no, true},
		"behind the rest": {[]string{"git", "commit", "--", "--amend", "--allow-empty"}, no, true},
		"alias":           {[]string{"git", "again"}, no, false},
		"shell":           {[]string{"sh", ".git/hooks/pre-commit", "commit", "--amend"}, no, false},
		"nothing":         {nil, no, false},
	} {
		if of, known := askedIn(tt.args); of != tt.of || known != tt.known {
			t.Errorf("%s: %v, %v", name, of, known)
		}
	}
}
