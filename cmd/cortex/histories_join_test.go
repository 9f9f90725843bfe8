package main

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// drives says whether the merge drivers are at work in joins of this history.
func (h *history) drives() bool { return h.setup == "drivers" || h.setup == "main-pages" }

// asSetUp runs a join, without cortex where the history says so.
func (h *history) asSetUp(join func()) {
	if h.setup == "no-cortex" {
		defer h.without("info/attributes", "hooks")()
	}
	join()
	h.joins++
}

// expect returns the result that merging others into HEAD must have.
func (h *history) expect(others ...string) expectation {
	e := newExpectation(h.at("HEAD"))
	for _, other := range others {
		e.must = h.base("HEAD", other, e.open).merge(e.must, h.at(other), e.maybe)
	}
	return e
}

// join merges other into HEAD by a strategy.
func (h *history) join(verb, strategy, other string) {
	h.note("%s: %s %s into %s", verb, strategy, other, h.branches[0])
	want := h.expect(other)
	if strategy == "ort" && h.drives() {
		h.checkConverges(other)
	}
	if bases, _ := h.try("merge-base", "--all", "HEAD", other); strategy != "ort" && strings.Contains(bases, "\n") {
		for id := range union(h.at("HEAD"), h.at(other)) { // git's choice among several bases is another one
			want.maybe[id] = true
		}
	}
	before := h.git("rev-parse", "HEAD")
	h.asSetUp(func() {
		if _, ok := h.try(verb, "-q", "--no-edit", "-s", strategy, other); !ok {
			h.resolve(other)
			h.git("commit", "-q", "--no-edit")
		}
	})
	h.merges++
	h.certify(want, h.drives() && strategy == "ort", before, other)
	h.afterJoin(verb+" -s "+strategy, want, h.drives() && strategy == "ort")
}

// afterJoin checks what HEAD and the working tree hold. Where the drivers ran,
// the pages are right as they stand; elsewhere a run of project repairs them.
func (h *history) afterJoin(what string, want expectation, exact bool) {
	h.t.Helper()
	h.checkJoin(h.at("HEAD"), want, exact)
	if exact && h.setup == "drivers" {
		h.checkPages(what)
	} else {
		h.repairPages()
	}
	h.fsck()
}

// checkConverges merges both ways without touching anything: where git sees no
// conflict, the memories and pages are the same.
func (h *history) checkConverges(other string) {
	h.t.Helper()
	there, ok1 := h.try("merge-tree", "--write-tree", "HEAD", other)
	back, ok2 := h.try("merge-tree", "--write-tree", other, "HEAD")
	if !ok1 || !ok2 {
		return
	}
	if a, b := h.git("ls-tree", "-r", there, ".cortex/"), h.git("ls-tree", "-r", back, ".cortex/"); a != b {
		h.t.Errorf("merging %s depends on the direction:\n%s\n%s", other, a, b)
	}
}

func (h *history) octopus() {
	others := h.branches[1:3]
	h.note("octopus: %s into %s", strings.Join(others, ", "), h.branches[0])
	before := h.git("rev-parse", "HEAD")
	want := h.expect(others...)
	for _, other := range others {
		// What became of a memory that is older than the fork depends on the order
		// of git's pairwise merges.
		for id := range h.base("HEAD", other, map[memory.ID]bool{}) {
			want.maybe[id] = true
		}
	}
	done := false
	h.asSetUp(func() { _, done = h.try("merge", "-q", "--no-edit", others[0], others[1]) })
	if done {
		h.merges++
		h.certify(want, false, append([]string{before}, others...)...)
		h.afterJoin("octopus", want, false)
		return
	}
	// "Should not be doing an octopus": a careful user merges one by one.
	h.stops++
	h.git("reset", "-q", "--merge", before)
	for _, other := range others {
		h.join("merge", "ort", other)
	}
}

func (h *history) squash(other string) {
	h.note("squash: %s into %s", other, h.branches[0])
	before := h.git("rev-parse", "HEAD")
	want := h.expect(other)
	h.asSetUp(func() {
		if _, ok := h.try("merge", "-q", "--squash", other); !ok {
			h.resolve(other)
		} else if h.setup == "drivers" {
			h.checkPages("merge --squash")
		}
		h.git("commit", "-q", "--allow-empty", "-m", "squash "+other)
	})
	h.merges++
	h.certify(want, h.drives(), before, other)
	h.afterJoin("squash", want, h.drives())
}

// replay returns the result that applying commits, one by one, to start must have.
func (h *history) replay(start string, commits []string) expectation {
	e := newExpectation(h.at(start))
	for _, c := range commits {
		e.must = h.at(c+"^").merge(e.must, h.at(c), e.maybe)
	}
	return e
}

func (h *history) rebase(backend, onto string) {
	h.note("rebase %s: %s onto %s", backend, h.branches[0], onto)
	commits := strings.Fields(h.git("rev-list", "--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only", onto+"...HEAD"))
	want := h.replay(onto, commits)
	if h.git("rev-list", "--merges", "-n", "1", onto+"..HEAD") != "" {
		// What people resolved in merges is not among the commits that git replays.
		for id := range union(want.must, h.at("HEAD"), h.at(onto)) {
			want.maybe[id] = true
		}
	}
	exact := h.drives() && len(want.maybe) == 0 && backend == "--merge"
	h.asSetUp(func() {
		_, ok := h.try("rebase", "-q", backend, onto)
		for try := 0; !ok; try++ {
			if try > 40 {
				h.t.Fatal("the rebase does not end")
			}
			exact = false // as in sequence
			h.resolve("REBASE_HEAD")
			if h.git("diff", "--cached", "--name-only") == "" {
				_, ok = h.try("rebase", "--skip")
			} else {
				_, ok = h.try("rebase", "--continue")
			}
		}
	})
	h.afterJoin("rebase "+backend, want, exact)
}

func (h *history) cherryPick(source string) {
	commits := strings.Fields(h.git("rev-list", "--no-merges", "--cherry-pick", "--right-only", "-n", "5", "HEAD..."+source))
	if len(commits) == 0 { // the two are one branch
		return
	}
	c := pickOne(h.rnd, commits)
	h.note("cherry-pick: %s of %s onto %s", c[:7], source, h.branches[0])
	want := h.replay("HEAD", []string{c})
	clean := h.sequence("cherry-pick", "CHERRY_PICK_HEAD", "--allow-empty", c)
	h.afterJoin("cherry-pick", want, clean && h.drives())
}

func (h *history) revert() {
	commits := strings.Fields(h.git("rev-list", "--no-merges", "--grep=work", "-n", "4", "HEAD"))
	c := pickOne(h.rnd, commits)
	h.note("revert: %s on %s", c[:7], h.branches[0])
	want := newExpectation(nil)
	want.must = h.at(c).merge(h.at("HEAD"), h.at(c+"^"), want.maybe)
	clean := h.sequence("revert", "REVERT_HEAD^", "--no-edit", c)
	h.afterJoin("revert", want, clean && h.drives())
}

func (h *history) exists(rev string) bool {
	_, ok := h.try("rev-parse", "-q", "--verify", rev)
	return ok
}

// sequence runs a cherry-pick or revert to its end. Clean is false when git
// stopped: it runs no pre-commit hook when it goes on, and what the user
// decided is in the pages after the next commit.
func (h *history) sequence(verb, theirs string, args ...string) (clean bool) {
	h.asSetUp(func() {
		if _, clean = h.try(append([]string{verb}, args...)...); clean {
			return
		}
		if !h.exists(theirs) {
			clean = true // there was nothing to do, and nothing is under way
			return
		}
		h.resolve(theirs)
		if h.git("diff", "--cached", "--name-only") == "" {
			h.git(verb, "--skip")
		} else {
			h.git(verb, "--continue")
		}
	})
	return clean
}

func (h *history) stashPop() {
	h.note("stash on %s", h.branches[0])
	for range 1 + h.rnd.IntN(3) {
		h.change()
	}
	if h.setup == "drivers" {
		h.run("", "cortex", "project", "-q")
	}
	if h.git("status", "--porcelain") == "" {
		return
	}
	base := h.at("HEAD")
	h.git("add", "-A") // new files are part of the merge then
	theirs := h.at(h.git("write-tree"))
	h.git("stash", "push", "-q")
	h.work()
	want := newExpectation(nil)
	want.must = base.merge(h.at("HEAD"), theirs, want.maybe)
	clean := false
	h.asSetUp(func() {
		if _, clean = h.try("stash", "pop", "-q"); !clean {
			h.resolve("stash@{0}")
			h.git("stash", "drop", "-q")
		}
	})
	h.checkJoin(h.here(), want, h.drives())
	if clean && h.setup == "drivers" {
		h.checkPages("stash pop")
	} else if h.pagesKept() {
		h.run("", "cortex", "project", "-q")
	}
	h.commit("stashed work")
}

// resolve is the careful user at a merge that git stopped: a memory that one
// side removed and the other edited stays, both of two memories that git took
// for one stay, each at its own path, and pages are generated again (or left
// as ours where there is no cortex).
func (h *history) resolve(theirs string) {
	h.t.Helper()
	h.stops++
	listing := h.git("ls-files", "-u", "-z")
	ours, others := h.at("HEAD"), h.at(theirs)
	where := map[memory.ID]item{}
	maps.Copy(where, others)
	maps.Copy(where, ours)
	var paths, stages []string
	for line := range strings.SplitSeq(listing, "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		if ok {
			paths = append(paths, path)
			if f := strings.Fields(head); f[2] != "1" {
				stages = append(stages, f[1])
			}
		}
	}
	for _, path := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		h.git("rm", "-q", "-f", "--cached", "--ignore-unmatch", "--", path)
		h.removeFile(path)
		switch {
		case strings.HasPrefix(path, ".cortex/memories/"):
			h.restoreMemory(path, ours, others)
		case h.exists("HEAD:" + path):
			h.git("checkout", "-q", "HEAD", "--", path)
		case h.exists(theirs + ":" + path):
			h.git("checkout", "-q", theirs, "--", path)
		}
	}
	h.restoreStages(stages, where)
	if h.setup != "no-cortex" && h.pagesKept() && slices.ContainsFunc(paths, isPage) {
		h.run("", "cortex", "project", "-q")
	}
	h.git("add", "-A")
}

func isPage(path string) bool {
	return strings.HasPrefix(path, ".cortex/") && strings.Count(path, "/") == 1
}

func (h *history) removeFile(path string) {
	if err := os.Remove(filepath.Join(h.dir, path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.t.Fatal(err)
	}
}

func (h *history) restoreMemory(path string, ours, others state) {
	for _, side := range []state{ours, others} {
		for _, it := range side {
			if it.path == path {
				h.write(path, h.run("", "git", "cat-file", "blob", it.blob))
				h.note("  resolved %s", path)
				return
			}
		}
	}
}

// restoreStages brings back the memories that git shows at another's path.
func (h *history) restoreStages(stages []string, where map[memory.ID]item) {
	here := h.here()
	for _, blob := range stages {
		data := h.run("", "git", "cat-file", "blob", blob)
		m, err := memory.Parse("stage", []byte(data))
		if err != nil {
			continue // markers, or no memory
		}
		if _, ok := here[m.ID]; !ok {
			h.write(where[m.ID].path, data)
			h.note("  restored %s", where[m.ID].path)
			here[m.ID] = item{id: m.ID}
		}
	}
}
