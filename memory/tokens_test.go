package memory_test

import (
	"math"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// What o200k_base makes of texts that were written for this test.
func TestTokens(t *testing.T) {
	for text, want := range tokenSamples() {
		got := memory.Tokens(text)
		if off := math.Abs(float64(got-want)) / float64(want); off > 0.15 {
			t.Errorf("%d for %d (%.0f %%): %.40q", got, want, 100*off, text)
		}
	}
	for _, text := range []string{"", "\xff", "\u200d", " ", "\n", "a", "1", "!"} {
		if got := memory.Tokens(text); got < 0 || got > 1 {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// A text costs about as much as its parts, so that budgets add up.
func TestTokensAddUp(t *testing.T) {
	whole, parts := "", 0
	for text := range tokenSamples() {
		whole += text + "\n"
		parts += memory.Tokens(text + "\n")
	}
	if got := memory.Tokens(whole); math.Abs(float64(got-parts)) > float64(parts)/50 {
		t.Errorf("%d together, %d one by one", got, parts)
	}
	if got := memory.Tokens(strings.Repeat("word ", 1000)); got < 900 || got > 1200 {
		t.Errorf("%d for 1,000 words", got)
	}
}

// tokenSamples maps texts to their number of tokens.
func tokenSamples() map[string]int {
	return map[string]int{
		"The journal is one ref for all branches, because a branch ref named feat and another named feat/a cannot live in the same repository. Every capture is a commit on it, and a commit costs the same however many memories there are.": 47,
		"We tried a daemon first. It died with the terminal, left a socket behind, and nobody noticed for two days that nothing had been recorded; a hook that runs and exits cannot do that.":                                                39,
		"## Locking\n" +
			"\n" +
			"- **flock** is freed by the kernel when the process dies, so there is no stale lock.\n" +
			"- A pid file needs a check that is a race: the pid may belong to somebody else by then.\n" +
			"- See `gitops/lock.go` and [the man page](https://example.org/flock.2.html).\n" +
			"\n" +
			"| call | blocks |\n" +
			"|---|---|\n" +
			"| LOCK_EX | yes |\n" +
			"| LOCK_NB | no |\n": 96,
		"func (s *Store) Load(name string) ([]byte, error) {\n" +
			"\tf, err := os.Open(filepath.Join(s.dir, name))\n" +
			"\tif err != nil {\n" +
			"\t\treturn nil, fmt.Errorf(\"opening %s: %w\", name, err)\n" +
			"\t}\n" +
			"\tdefer f.Close()\n" +
			"\treturn io.ReadAll(io.LimitReader(f, maxSize))\n" +
			"}\n": 72,
		"export async function load(id: string): Promise<Memory | null> {\n" +
			"  const res = await fetch(`/memories/${id}`, { headers: { Accept: \"application/json\" } });\n" +
			"  if (!res.ok) return null;\n" +
			"  return (await res.json()) as Memory;\n" +
			"}\n": 59,
		"---\n" +
			"id: 6tsatymg66246s59\n" +
			"type: fix\n" +
			"title: Close the spool before renaming it\n" +
			"created: 2026-11-20T14:03:11Z\n" +
			"confidence: 0.95\n" +
			"tags: [spool, windows]\n" +
			"files: [gitops/spool.go, gitops/spool_windows.go]\n" +
			"source: {agent: claude-code, layer: answer, branch: fix/spool, commit: 3fa9c1e, record: 412}\n" +
			"---\n" +
			"Windows keeps the name of an open file, so that renaming over it fails with ERROR_SHARING_VIOLATION.\n": 136,
	}
}
