package capture

import "testing"

// TestBelow: a path of an agent is found below the folder of the repository in the forms
// that Windows and macOS give both.
func TestBelow(t *testing.T) {
	for _, c := range []struct{ root, path, want string }{
		{"/home/ada/tide", "/home/ada/tide/a b/c.go", "a b/c.go"},
		{"/home/ada/tide", "/home/ada/tides/c.go", ""},
		{"/home/ada/tide", "/home/Ada/tide/c.go", ""},
		{"/home/ada/tide", "/home/ada/tide/cafe\u0301.go", "cafe\u0301.go"}, // as it is there
		{"/Users/ada/caf\u00e9", "/Users/ada/cafe\u0301/gau\u0308ge.go", "ga\u00fcge.go"},
		{"/Users/ada/cafe\u0301", "/Users/ada/caf\u00e9/c.go", "c.go"},
		{"C:/Users/Ada/tide", "c:/users/ada/tide/Gates/East.go", "Gates/East.go"},
		{"C:/Users/Ada/tide", "C:/Users/Ada/tide2/x.go", ""},
		{"C:/Users/Ada/tide", "D:/Users/Ada/tide/x.go", ""},
		{"C:/caf\u00e9", "c:/CAFE\u0301/x.go", "x.go"},
		{"/a", "/", ""},
		{"/a", "/a", ""},
		{"", "/a", "a"},
	} {
		got, ok := below(c.root, c.path)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q below %q: %q, %v", c.path, c.root, got, ok)
		}
	}
}
