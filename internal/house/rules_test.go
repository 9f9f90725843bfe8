package house

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheRules checks the rules themselves: what each must find and what it
// must let pass. Lines that break a rule end in "// BAD".
func TestTheRules(t *testing.T) {
	tests := map[string]struct {
		check func(*source, bool) []finding
		main  bool
		code  string
	}{
		"init": {check: checkInit, code: `
			type T struct{}
			func (T) init() {}
			func init() {} // BAD`},
		"plain comments": {check: checkRiddles, code: `
			// T is what a caller wants. // BAD
			type T struct{}
			// U holds the words of a caller, and says what they mean.
			type U struct{}`},
		"process": {check: checkProcess, code: `
			import ("os"; clock "time")
			func f(time interface{ Now() int }) {
				_, _ = os.ReadFile("x")
				_ = os.Getenv("HOME") // BAD
				os.Exit(1) // BAD
				_ = os.Stdout // BAD
				_ = clock.Now() // BAD
				_ = clock.Since(clock.Time{}) // BAD
				_ = clock.Second
				_ = time.Now()
			}`},
		"process in main": {check: checkProcess, main: true, code: `
			import "os"
			func main() { os.Exit(1) }`},
		"variables": {check: checkVariables, code: `
			import ("errors"; "github.com/git-cortex/cortex/internal/lazy"; "regexp"; "sync"; "strings")
			var ErrX = errors.New("x")
			var re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("x") })
			var _ error = (*T)(nil)
			var pattern = lazy.Pattern("x")
			var table = [...]string{"a", "b"}
			var pairs = []pair{{"a", 1}}
			//go:embed x.txt
			var embedded string
			var bad = regexp.MustCompile("x") // BAD
			var upper = strings.ToUpper("x") // BAD
			var index = map[string]int{"a": 1} // BAD
			var nested = []pairs{{m: map[string]int{}}} // BAD
			var state int // BAD
			var mu sync.Mutex // BAD
			var limit = 3 // BAD`},
		"variables in main": {check: checkVariables, main: true, code: `
			var version = "development"`},
		"error text": {check: checkErrorText, code: `
			import ("errors"; "fmt")
			func f(err error) {
				_ = fmt.Errorf("reading x: %w", err)
				_ = fmt.Errorf("failed to read x: %w", err) // BAD
				_ = fmt.Errorf("cannot read x: %w", err) // BAD
				_ = errors.New("cannot be empty")
				_ = errors.New("Could not read") // BAD
				p.fail(3, "unable to read") // BAD
				_ = cue("could not")
			}`},
		"nolint": {check: checkNolint, code: `
			var a = 1 //nolint:errcheck // the file is closed anyway
			var b = 1 //nolint // BAD
			var c = 1 //nolint:errcheck // BAD`},
		"context": {check: checkContextField, code: `
			import "context"
			type job struct {
				name string
				ctx context.Context // BAD
				one context.Context //nolint:containedctx // lives as long as one call
			}
			func f(ctx context.Context) {}`},
		"whole files": {check: func(s *source, _ bool) (found []finding) {
			for _, w := range checkWrites(s, false) {
				found = append(found, w.finding)
			}
			return found
		}, code: `
			import "os"
			func f(root *os.Root) {
				_ = os.WriteFile("a", nil, 0o666) // BAD
				_ = root.WriteFile("a", nil, 0o666) // BAD
				_ = os.Rename("a", "b") // BAD
				_ = root.Rename("a", "b") // BAD
				_, _ = os.CreateTemp("", "x") // BAD
				_, _ = os.OpenFile("a", os.O_WRONLY|os.O_TRUNC, 0o666) // BAD
				_, _ = os.OpenFile("a", os.O_WRONLY|os.O_APPEND, 0o666)
				_, _ = os.MkdirTemp("", "x")
			}`},
		"parameters": {check: checkParameters, code: `
			func six(a, b, c, d, e, f int) {}
			func seven(a, b int, c string, d, e, f, g int) {} // BAD
			func (t T) method(a, b, c, d, e, f int) {}
			type callback func(a, b, c, d, e, f, g int) // BAD
			type one interface {
				method(a, b, c, d, e, f, g int) // BAD
			}`},
		"function": {check: checkFunctionSize, code: `
			func short() {` + strings.Repeat("\n", maxFunctionLines-1) + `}
			func long() { // BAD` + strings.Repeat("\n", maxFunctionLines) + `}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			code := "package p" + test.code
			s, err := parseSource("p/p.go", []byte(code))
			if err != nil {
				t.Fatal(err)
			}
			want, got := map[int]bool{}, map[int]bool{}
			for i, line := range strings.Split(code, "\n") {
				if strings.Contains(line, "// BAD") {
					want[i+1] = true
				}
			}
			for _, f := range test.check(s, test.main) {
				got[f.line] = true
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("lines found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestImportRules(t *testing.T) {
	tests := []struct {
		path    string
		imports string
		bad     int
	}{
		{"memory/a.go", `"strings"; "go.yaml.in/yaml/v3"`, 0},
		{"memory/a.go", `"github.com/git-cortex/cortex/templates"`, 1},
		{"memory/a.go", `"os/exec"; "net/http"; "C"`, 3},
		{"capture/a.go", `"github.com/git-cortex/cortex/memory"`, 0},
		{"capture/a.go", `"github.com/git-cortex/cortex/index"`, 1},
		{"capture/a_test.go", `"github.com/git-cortex/cortex/index"; "os/exec"; "github.com/google/go-cmp/cmp"`, 0},
		{"capture/a.go", `"github.com/google/go-cmp/cmp"`, 1},
		{"capture/a_test.go", `"github.com/stretchr/testify/assert"`, 1},
		{"gitops/editor.go", `"github.com/go-git/go-git/v5/plumbing/object"; "os/exec"`, 0},
		{"gitops/a.go", `"os/exec"`, 1},
		{"memory/a.go", `"github.com/git-cortex/cortex/internal/lists"`, 1},
		{"gitops/a.go", `"github.com/go-git/go-git/v5"`, 1},
		{"index/a.go", `"github.com/blugelabs/bluge"`, 1},
		{"index/internal/postings/a.go", `"github.com/blugelabs/bluge/index"`, 0},
		{"workspace/a.go", `"github.com/blugelabs/bluge/search"; "github.com/spf13/cobra"`, 2},
		{"workspace/a.go", `"github.com/git-cortex/cortex/index"; "github.com/git-cortex/cortex/gitops"`, 0},
		{"cmd/cortex/a.go", `"github.com/git-cortex/cortex/workspace"; "github.com/spf13/cobra"`, 0},
		{"cmd/cortex/a.go", `"github.com/git-cortex/cortex/index"; "github.com/go-git/go-git/v5/plumbing"`, 1},
	}
	for _, test := range tests {
		s, err := parseSource(test.path, []byte("package p\nimport ("+test.imports+")\n"))
		if err != nil {
			t.Fatal(err)
		}
		layer := test.path[:strings.LastIndexByte(test.path, '/')]
		got := checkImports(layer, layers()[layer], s)
		if len(got) != test.bad {
			t.Errorf("%s with %s: %d complaints, want %d: %q", test.path, test.imports, len(got), test.bad, got)
		}
	}
}

func TestFileNames(t *testing.T) {
	for name, bad := range map[string]bool{
		"memory.go": false, "type.go": false, "journal_linux.go": false, "git_test.go": false,
		"util.go": true, "git_util.go": true, "helpers_test.go": true, "types.go": true,
	} {
		s := &source{name: name}
		if got := len(checkFileName(s, false)) > 0; got != bad {
			t.Errorf("%s: bad = %v, want %v", name, got, bad)
		}
	}
}

func TestReceivers(t *testing.T) {
	s, err := parseSource("p/p.go", []byte("package p\nfunc (T) a() {}\nfunc (t *T) b() {}\nfunc (l *L[K, V]) c() {}\nfunc (l L[K]) d() {}\nfunc e() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"T", "T", "L", "L"}, receivers(s)); diff != "" {
		t.Errorf("receivers (-want +got):\n%s", diff)
	}
}
