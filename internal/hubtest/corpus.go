// Package hubtest holds every store of a hub to one contract: the same invented repositories, the same
// questions, the same grants, and the answers that `cortex search` gives.
//
// Call [New] for repositories with memories and [Corpus.Fill] to put them into a store. [Contract] compares its
// answers with those of a workspace that holds the union of what is granted, and [Leaks] looks for words of
// what is not granted in all that a hub sends. The seed is fixed: two stores that pass answer the same.
package hubtest

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/memory"
)

// Clock is the time at which these tests happen.
func Clock() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// Forge is the name of the forge of all repositories.
const Forge = "test"

// Blob is the name of a file with a text.
func Blob(text []byte) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	return hex.EncodeToString(sum[:])
}

// vocabulary holds words of all kinds: plain, everyday, compound, foreign, of code.
const vocabulary = `proxy uploads large GitHub github token queue retries cache login index the of waits fails drops
rotate rotates monday parseHTTPRequest snake_case café 語学 --no-verify slow slowly src/app/main.go backoff
deadlock mutex goroutine migration schema rollback certificate expires renewal kubernetes ingress timeout
websocket reconnect pagination cursor offset encoding unicode normalise timezone daylight saving locale
webpack bundler sourcemap hydration docker layer registry checksum flaky snapshot fixture mock retry lint
formatter pre-commit rebase squash cherry-pick submodule sparse latency throughput benchmark allocation
garbage collector profiler tracing span metric cardinality we must never always because instead`

// Corpus is repositories with memories.
type Corpus struct {
	Repos   []*hub.Repo
	Texts   map[string][]byte // of all, by blob
	Markers []string          // a word for each repository that stands in nothing of the others
	Absent  string            // such a word that stands nowhere

	random *rand.Rand
	words  []string
	known  []*written // memories in the order in which they were made
}

// written is a memory in a repository.
type written struct {
	*memory.Memory
	path string
}

// New makes so many repositories. They share some memories: the same file, the same memory with another text,
// and memories that supersede or answer those of others.
func New(seed uint64, repos, memories int) *Corpus {
	c := &Corpus{
		Texts: map[string][]byte{}, random: rand.New(rand.NewPCG(seed, 29)), words: strings.Fields(vocabulary),
	}
	c.Absent = c.marker()
	states := []hub.State{hub.Ready, hub.Ready, hub.Stale, hub.Ready, hub.Parked, hub.Gone}
	for i := range repos {
		marker := c.marker()
		r := &hub.Repo{
			RepoRef: hub.RepoRef{
				Forge: Forge, Name: "acme/" + marker, URL: "https://forge.test/acme/" + marker,
			},
			Ref: "refs/heads/main", OID: fmt.Sprintf("%040x", i+1), State: states[i%len(states)], Added: Clock(),
			Moved: Clock(),
			Files: map[string]hub.File{},
		}
		c.Repos, c.Markers = append(c.Repos, r), append(c.Markers, marker)
		for range 1 + c.random.IntN(memories) {
			c.add(r, i)
		}
	}
	return c
}

// marker is a word like no other.
func (c *Corpus) marker() string {
	b := []byte("zz")
	for range 5 {
		b = append(b, "bdfgklmnprstvx"[c.random.IntN(14)], "aeiou"[c.random.IntN(5)])
	}
	return string(b)
}

// SharedError is an error that some repositories met.
const SharedError = "error: listen tcp 127.0.0.1:7420: bind: address already in use"

// markedError is an error that one repository met.
func markedError(marker string) string { return "fatal: the daemon of " + marker + " does not answer" }

// Words are some words.
func (c *Corpus) Words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = c.words[c.random.IntN(len(c.words))]
	}
	return strings.Join(out, " ")
}

// add writes a memory into a repository.
func (c *Corpus) add(r *hub.Repo, number int) {
	types := memory.Types()
	m := memory.New(types[c.random.IntN(len(types))], c.Words(3+c.random.IntN(4)),
		c.Words(5+c.random.IntN(50))+".\n\n"+c.Words(8), Clock().AddDate(0, 0, -c.random.IntN(400)))
	path := fmt.Sprintf(".cortex/memories/%03d-%02d.md", c.random.IntN(1000), number)
	file := hub.File{}
	if c.random.IntN(3) == 0 {
		m = memory.New(m.Type, m.Title+" "+c.Markers[number], m.Text+" "+c.Markers[number], m.Created)
		path = ".cortex/memories/" + c.Markers[number] + "/" + path[len(".cortex/memories/"):]
		m.Entities = []string{c.Markers[number]}
		file.Errors = []string{recipe.Signature(markedError(c.Markers[number]))}
		if len(r.Files)%2 == 0 {
			file.Flags = []string{"of-" + c.Markers[number]}
		}
	}
	if c.random.IntN(6) == 0 {
		file.Errors = append(file.Errors, recipe.Signature(SharedError))
	}
	m.Tags, m.Files = []string{c.pick("web", "api", "build")}, []string{c.pick("src/app/main.go", "deploy/nginx.conf")}
	m.Pinned, m.Contested = c.random.IntN(9) == 0, c.random.IntN(9) == 0
	m.Source = memory.Source{
		Agent: memory.Human, Branch: c.pick("main", "fix"),
		Session: c.pick("0b2c11aa", "5fd0c2d1"),
	}
	if len(c.known) > 0 {
		m, path = c.relate(m, path)
	}
	if _, taken := r.Files[path]; taken {
		return
	}
	c.known = append(c.known, &written{m, path})
	text := memory.Format(m)
	blob := Blob(text)
	c.Texts[blob] = text
	file.Blob, file.ID = blob, m.ID
	r.Files[path] = file
}

// relate makes a memory one that is known already, or has it say something of one.
func (c *Corpus) relate(m *memory.Memory, path string) (*memory.Memory, string) {
	old := c.known[c.random.IntN(len(c.known))]
	if slices.ContainsFunc(c.Markers, func(s string) bool { return strings.Contains(old.path, s) }) {
		return m, path
	}
	switch c.random.IntN(12) {
	case 0: // the same file
		return old.Memory, old.path
	case 1: // another version of it
		m.ID = old.ID
		return m, old.path
	case 2: // another file
		m.ID = old.ID
	case 3, 4:
		m.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}}
	case 5, 6:
		m.Links = []memory.Link{{Rel: memory.Answers, To: old.ID}}
	}
	return m, path
}

func (c *Corpus) pick(of ...string) string { return of[c.random.IntN(len(of))] }

// Read hands texts to yield, as the mirror of a hub does.
func (c *Corpus) Read(_ context.Context, _ string, blobs []string, yield func(string, []byte) error) error {
	for _, blob := range blobs {
		if err := yield(blob, c.Texts[blob]); err != nil {
			return err
		}
	}
	return nil
}

// Fill puts all repositories into a store.
func (c *Corpus) Fill(t testing.TB, s hub.Store) {
	t.Helper()
	for _, r := range c.Repos {
		texts := map[string][]byte{}
		for _, f := range r.Files {
			texts[f.Blob] = c.Texts[f.Blob]
		}
		err := s.Save(&hub.Repo{RepoRef: r.RepoRef})
		if err == nil {
			err = s.Learn(t.Context(), r, texts)
		}
		if err == nil {
			err = s.Save(r)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Grants are some of the repositories: none, few, many or all.
func (c *Corpus) Grants() (in []*hub.Repo) {
	share := c.random.IntN(5)
	for _, r := range c.Repos {
		if c.random.IntN(4) < share {
			in = append(in, r)
		}
	}
	return in
}

// union is the files of repositories in one: of two with one path that of the smaller blob, which is the one
// that counts.
func (c *Corpus) union(in []*hub.Repo) map[string]string {
	files := map[string]string{}
	blobs := map[string]string{}
	for _, r := range in {
		for _, path := range slices.Sorted(maps.Keys(r.Files)) {
			blob := r.Files[path].Blob
			if was, ok := blobs[path]; !ok || blob < was {
				blobs[path], files[path] = blob, string(c.Texts[blob])
			}
		}
	}
	return files
}
