package recipe

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzKeys: whatever a tool says and whatever is run, the keys are bounded, and
// the signature of a signature is the same. What is replaced in a text has one of its words.
func FuzzKeys(f *testing.F) {
	for _, s := range []string{
		"fatal: pathspec 'a/b.ts' did not match any files", "(eval):1: command not found: docker", `open C:\Users\ada\y.log: permission denied`, "错误：找不到文件 “水位.csv”",
		"cd a && FOO=1 timeout 20 go test ./... 2>&1 | tail", "a <<'EOF'\nb\nEOF", "'\"`\\", "\xff\xfe", "# # 1 2 'a' \"b",
		"Fehler: «x» (y)", "\x1b[31mgh: defaced https://a.b/c", "fatal: `x`",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sig := Signature(s)
		if len(sig) > signatureSize || utf8.ValidString(s) && !utf8.ValidString(sig) {
			t.Errorf("Signature(%q) = %q", s, sig)
		}
		if again := Signature(sig); again != sig {
			t.Errorf("Signature(%q) = %q, and of that %q", s, sig, again)
		}
		for _, r := range unstable() {
			if lower := strings.ToLower(s); r.re().MatchString(lower) && !r.mayMatch(lower) {
				t.Errorf("%s matches %q, which has none of %q", r.re(), lower, r.words)
			}
		}
		if h := Head(s); len(h) > len(s) || utf8.ValidString(s) && !utf8.ValidString(h) {
			t.Errorf("Head(%q) = %q", s, h)
		}
	})
}
