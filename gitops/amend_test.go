package gitops

import "testing"

func TestAmendIn(t *testing.T) {
	for name, tt := range map[string]struct {
		args          []string
		amends, known bool
	}{
		"commit":          {[]string{"git", "commit", "-m", "one"}, false, true},
		"amend":           {[]string{"/usr/bin/git", "-C", "x", "commit", "-q", "--amend", "--no-edit"}, true, true},
		"shortened":       {[]string{"git.exe", "commit", "--am"}, true, true},
		"taken back":      {[]string{"git", "commit", "--amend", "--no-amend"}, false, true},
		"another option":  {[]string{"git", "commit", "--all", "--allow-empty", "--author=x"}, false, true},
		"behind the rest": {[]string{"git", "commit", "--", "--amend"}, false, true},
		"alias":           {[]string{"git", "again"}, false, false},
		"shell":           {[]string{"sh", ".git/hooks/pre-commit", "commit", "--amend"}, false, false},
		"nothing":         {nil, false, false},
	} {
		if amends, known := amendIn(tt.args); amends != tt.amends || known != tt.known {
			t.Errorf("%s: %v, %v", name, amends, known)
		}
	}
}
