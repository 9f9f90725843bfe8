package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os/exec"
	"slices"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/certify"
)

// certify has `cortex verify-merge` look at the join that HEAD is. It must see
// what the oracle sees, nothing; and in the same join without one of its
// memories just that.
func (h *history) certify(want expectation, exact bool, sides ...string) {
	h.t.Helper()
	for _, f := range h.verify("HEAD", sides).Problems {
		switch {
		case f.Kind == "page" && (!exact || h.setup != "drivers" || h.stops > 0):
		case f.Kind == "one-sided" && !exact: // the careful user took ours
		case (f.Kind == "lost" || f.Kind == "resurrected" || f.Kind == "one-sided") && (want.maybe[f.ID] || want.open[f.ID]):
		default:
			h.t.Errorf("verify-merge: %+v", f)
		}
	}
	if h.rnd.IntN(3) == 0 {
		h.certifyWithout(want, sides)
	}
	h.mustGoOn()
}

// certifyWithout takes a memory that no side removed out of the join.
func (h *history) certifyWithout(want expectation, sides []string) {
	here := h.at("HEAD")
	var ids []memory.ID
	for _, id := range slices.Sorted(maps.Keys(want.must)) {
		if _, is := here[id]; is && !want.maybe[id] && !want.open[id] {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return
	}
	id := pickOne(h.rnd, ids)
	h.git("rm", "-q", "--cached", "--", here[id].path)
	tree := h.git("write-tree")
	h.git("reset", "-q")
	var lost []memory.ID
	for _, f := range h.verify(h.git("commit-tree", "-p", "HEAD", "-m", "without", tree), sides).Problems {
		if f.Kind == "lost" && !want.maybe[f.ID] && !want.open[f.ID] {
			lost = append(lost, f.ID)
		}
	}
	if !slices.Equal(lost, []memory.ID{id}) {
		h.t.Errorf("verify-merge finds %v lost, and it is %s", lost, id)
	}
}

func (h *history) verify(merge string, sides []string) certify.Certificate {
	h.t.Helper()
	out, err := h.start("", "cortex", append([]string{"verify-merge", "--json", "--merge", merge}, sides...)...)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != exitProblems) {
		h.t.Fatal(err)
	}
	var cert certify.Certificate
	if err := json.Unmarshal([]byte(out), &cert); err != nil {
		h.t.Fatal(err)
	}
	if cert.Certified != (err == nil) {
		h.t.Errorf("certified is %v, and the exit code says otherwise", cert.Certified)
	}
	return cert
}
