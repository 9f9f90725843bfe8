package explore

import (
	"maps"
	"testing"
)

// TestDependencyNames: what a module is called leads to it, and a word of its address does
// not.
func TestDependencyNames(t *testing.T) {
	for dependency, names := range map[string][]string{
		"github.com/go-tide/Store/v3": {"github.com/go-tide/store/v3", "store"},
		"@yard/harbour-js":            {"@yard/harbour-js", "harbour-js", "harbour"},
		"left-pad":                    {"left-pad"},
		"v3":                          {"v3"},
	} {
		want := map[string]bool{}
		for _, n := range names {
			want[n] = true
		}
		if got := dependencyNames([]string{dependency}); !maps.Equal(got, want) {
			t.Errorf("%s: %v", dependency, got)
		}
	}
}

// TestPersonal: what is written like code is nobody.
func TestPersonal(t *testing.T) {
	for name, want := range map[string]bool{
		"ada": true, "ada o’hara": true, "@ada-b": true, "r2": true,
		"main_test": false, "a/b": false, "run()": false,
	} {
		if personal(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
