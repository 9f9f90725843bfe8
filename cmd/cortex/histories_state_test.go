package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// item is one memory of a state.
type item struct {
	id     memory.ID
	path   string
	blob   string
	tokens []string
	merged bool // blob is not known, only that both sides changed it
}

// state is the set of memories of a tree.
type state map[memory.ID]item

// expectation is the result that a join must have.
type expectation struct {
	must  state              // there, with these words
	maybe map[memory.ID]bool // removed by one side and edited by the other
	// open are those on which several merge bases do not agree: what git takes
	// for their common past is its own choice.
	open map[memory.ID]bool
}

func newExpectation(start state) expectation {
	return expectation{start, map[memory.ID]bool{}, map[memory.ID]bool{}}
}

func tokensOf(data string) []string {
	all := regexp.MustCompile(`tok\d+`).FindAllString(data, -1)
	slices.Sort(all)
	return slices.Compact(all)
}

// merge is the oracle: the three-way merge of sets of memories, and in each
// memory of sets of words. What only one side has is new, and stays, unless
// base has it too: then the other side removed it, and it goes, unless this
// side edited it. Git stops there ("deleted in … and modified in …"), and a
// careful user keeps the edit; so does the merge of pages. Without the drivers
// git may pair the removed file with a similar new one as a rename and put the
// edit there: then either is right.
func (base state) merge(ours, theirs state, maybe map[memory.ID]bool) state {
	out := state{}
	for id := range union(base, ours, theirs) {
		o, inBase := base[id]
		a, inOurs := ours[id]
		b, inTheirs := theirs[id]
		switch {
		case inOurs && inTheirs:
			out[id] = mergeItems(o, a, b)
		case !inOurs && !inTheirs:
		default:
			if inTheirs {
				a = b
			}
			switch {
			case !inBase:
				out[id] = a
			case a.blob == o.blob && !a.merged:
			default:
				out[id] = a
				maybe[id] = true
			}
		}
	}
	return out
}

func union(states ...state) map[memory.ID]bool {
	all := map[memory.ID]bool{}
	for _, s := range states {
		for id := range s {
			all[id] = true
		}
	}
	return all
}

func mergeItems(o, a, b item) item {
	switch {
	case a.blob == b.blob || b.blob == o.blob:
		return a
	case a.blob == o.blob:
		return b
	}
	out := item{id: a.id, path: a.path, blob: "merged", merged: true}
	for _, t := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.tokens, b.tokens)))) {
		inA, inB := slices.Contains(a.tokens, t), slices.Contains(b.tokens, t)
		if inA && inB || !slices.Contains(o.tokens, t) {
			out.tokens = append(out.tokens, t)
		}
	}
	return out
}

// at reads the memories of a commit or tree. A file that is no memory, or has
// markers, fails the test: cortex wrote all of them.
func (h *history) at(rev string) state {
	h.t.Helper()
	out, err := h.start("", "git", "ls-tree", "-r", "-z", rev, ".cortex/memories/")
	if err != nil {
		h.t.Fatal(err)
	}
	s := state{}
	paths, unknown := map[string]string{}, ""
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		blob := strings.Fields(head)[2]
		paths[path] = blob
		if _, known := h.blobs[blob]; !known {
			unknown += blob + " " + path + "\n"
		}
	}
	h.learn(rev, unknown)
	for path, blob := range paths {
		it := h.blobs[blob]
		it.path = path
		if twin, twice := s[it.id]; twice {
			h.t.Errorf("%s: %s and %s are the same memory", rev, path, twin.path)
		}
		s[it.id] = it
	}
	return s
}

// learn reads blobs, given as lines of id and path.
func (h *history) learn(rev, blobs string) {
	h.t.Helper()
	if blobs == "" {
		return
	}
	out := h.run(blobs, "git", "cat-file", "--batch=%(objectsize) %(objectname) %(rest)")
	for out != "" {
		head, rest, _ := strings.Cut(out, "\n")
		fields := strings.SplitN(head, " ", 3)
		size, err := strconv.Atoi(fields[0])
		if err != nil {
			h.t.Fatalf("git cat-file says %q", head)
		}
		it := h.parse(rev+":"+fields[2], fields[2], rest[:size])
		it.blob = fields[1]
		h.blobs[it.blob] = it
		out = rest[size+1:]
	}
}

func (h *history) parse(where, path, data string) item {
	h.t.Helper()
	m, err := memory.Parse(path, []byte(data))
	if err != nil {
		h.t.Fatalf("%s: %v\n%s", where, err, data)
	}
	for line := range strings.Lines(data) {
		if strings.HasPrefix(line, "<<<<<<<") || strings.HasPrefix(line, ">>>>>>>") {
			h.t.Errorf("%s has conflict markers:\n%s", where, data)
		}
	}
	return item{id: m.ID, path: path, tokens: tokensOf(data)}
}

// here reads the memories of the working tree.
func (h *history) here() state {
	h.t.Helper()
	s := state{}
	files, err := filepath.Glob(filepath.Join(h.dir, ".cortex/memories/*/*/*.md"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			h.t.Fatal(err)
		}
		rel, _ := filepath.Rel(h.dir, name)
		it := h.parse("working tree: "+rel, filepath.ToSlash(rel), string(data))
		s[it.id] = it
	}
	return s
}

// base is the state git merges two commits over: of several merge bases, their
// own merge.
func (h *history) base(a, b string, open map[memory.ID]bool) state {
	out, _ := h.try("merge-base", "--all", a, b)
	bases := strings.Fields(out)
	if len(bases) == 0 {
		return state{}
	}
	s := h.at(bases[0])
	for _, next := range bases[1:] {
		s = h.base(bases[0], next, open).merge(s, h.at(next), open)
	}
	return s
}

// checkJoin holds memories against the expectation. With exact the drivers merged: no word of any side is missing.
func (h *history) checkJoin(got state, want expectation, exact bool) {
	h.t.Helper()
	for id := range union(got, want.must) {
		g, is := got[id]
		w, should := want.must[id]
		switch {
		case want.open[id]:
		case should && !is && (exact || !want.maybe[id]):
			h.t.Errorf("%s (%s) is lost", id.Short(), w.path)
		case is && !should && !h.pended[id] && !want.maybe[id]:
			h.t.Errorf("%s (%s) came back", id.Short(), g.path)
		case is && should && exact:
			for _, tok := range w.tokens {
				if !slices.Contains(g.tokens, tok) {
					h.t.Errorf("%s (%s) lost the word %s", id.Short(), g.path, tok)
				}
			}
		}
	}
	h.mustGoOn()
}

func (h *history) mustGoOn() {
	h.t.Helper()
	if h.t.Failed() {
		h.t.FailNow()
	}
}

func (h *history) checkCommit(want state) {
	h.t.Helper()
	got := h.at("HEAD")
	for id := range union(got, want) {
		_, is := got[id]
		_, should := want[id]
		if should && !is {
			h.t.Errorf("the commit lost %s (%s)", id.Short(), want[id].path)
		} else if is && !should && !h.pended[id] {
			h.t.Errorf("the commit added %s (%s)", id.Short(), got[id].path)
		}
	}
	if h.pagesKept() {
		h.checkPages("a commit")
	}
	h.mustGoOn()
}

func (h *history) pagesKept() bool { return h.setup != "main-pages" }

// checkPages demands that the pages of the working tree equal a rendering.
func (h *history) checkPages(after string) {
	h.t.Helper()
	if out, err := h.start("", "cortex", "project", "--check"); err != nil {
		// A hook gives up after some seconds: on a machine with too much to do the log says so.
		log, _ := os.ReadFile(filepath.Join(h.dir, ".git/cortex/log"))
		h.t.Errorf("after %s the pages are out of date: %v\n%s%slog of the hooks:\n%s", after, err, out, h.git("diff", "HEAD", "--stat"), log[max(0, len(log)-2000):])
	}
	h.mustGoOn()
}

// repairPages does what doctor and the next run do where no driver ran.
func (h *history) repairPages() {
	h.t.Helper()
	if h.setup == "main-pages" {
		return
	}
	h.run("", "cortex", "project", "-q")
	h.git("add", "-A")
	if h.git("status", "--porcelain") != "" {
		h.git("commit", "-q", "--no-verify", "-m", "repair pages")
	}
	h.checkPages("a repair")
}

func (h *history) fsck() {
	h.t.Helper()
	h.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
}

// finish checks the whole: every memory that was ever pending is pending or in
// history, the program lists what is there, and nothing is broken.
func (h *history) finish() {
	h.fsck()
	var list struct {
		Memories []struct {
			ID    memory.ID
			Stage string
		}
		Problems []any
	}
	for _, args := range [][]string{{"list", "--json"}, {"list", "--json", "--all-branches"}} {
		if err := json.Unmarshal([]byte(h.run("", "cortex", args...)), &list); err != nil {
			h.t.Fatal(err)
		}
		if len(list.Problems) > 0 {
			h.t.Errorf("cortex %s: problems %v", strings.Join(args, " "), list.Problems)
		}
	}
	kept := map[memory.ID]bool{}
	landed := 0
	for _, m := range list.Memories {
		kept[m.ID] = true
		if m.Stage == "landed" {
			landed++
		}
	}
	if n := len(h.here()); landed != n {
		h.t.Errorf("%d memories are listed as landed, %d are in the working tree", landed, n)
	}
	history := h.git("log", "--branches", "--reflog", "--format=", "--name-only", "--diff-filter=A", "-m", "--", ".cortex/memories")
	for _, id := range slices.Sorted(maps.Keys(h.pended)) {
		if !kept[id] && !strings.Contains(history, "-"+id.Short()+".md") {
			h.t.Errorf("%s was pending and is lost", id.Short())
		}
	}
}

func jsonField(t *testing.T, data, key string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(data), &all); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return fmt.Sprint(all[key])
}
