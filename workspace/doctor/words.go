package doctor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// wordFindings returns the remarks about what memories say, each by itself. They follow from the
// file and from [doctor.rules], so a file in which nothing was found is not judged again.
func (d *doctor) wordFindings(ctx context.Context, v *workspace.View, entries []workspace.Entry) []Finding {
	rules := d.rules(ctx)
	kept, _ := facts.Kept[string](d.w.Repo, facts.Clean, rules)
	clean := lists.Set(strings.Fields(kept))
	isClean := func(e workspace.Entry) bool { return clean[e.Blob] }
	rest := lists.Without(entries, isClean)
	fresh := make([]string, len(rest))
	found := checkEach(ctx, len(rest), func(at int) []Finding {
		e := rest[at]
		var ok bool
		if e.Memory, ok = v.Catalog().MemoryOf(ctx, &e.Item); !ok {
			return nil
		}
		found := d.checkWords(ctx, e)
		if len(found) == 0 {
			fresh[at] = e.Blob
		}
		return found
	})
	fresh = lists.Without(fresh, func(blob string) bool { return blob == "" })
	if len(fresh) > 0 {
		still := lists.Map(lists.Where(entries, isClean), func(e workspace.Entry) string { return e.Blob })
		facts.Keep(d.w.Repo, facts.Clean, rules, strings.Join(append(still, fresh...), " "))
	}
	return found
}

// rules names all that a verdict on the words of a memory depends on, besides its file: this very program,
// the user's own patterns of secrets and what is accepted.
func (d *doctor) rules(ctx context.Context) string {
	own, err := d.w.Secrets.Own(ctx) // without them, only what a program knows by itself is found
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %v %q", facts.Build(d.w.Views.Program), own, err, d.accepted))
	return hex.EncodeToString(sum[:])
}

// checkWords returns the remarks about the words of one memory.
func (d *doctor) checkWords(ctx context.Context, e workspace.Entry) []Finding {
	m, out := e.Memory, d.checkSecrets(ctx, e)
	add := func(rule, format string, args ...any) {
		out = append(out, find(e.Path, rule, fmt.Sprintf(format, args...)))
	}
	for _, sign := range suspicion.Signs(m) {
		switch {
		case sign.Rule != suspicion.Instruction:
			add(sign.Rule, "%s", sign.Says)
		case !slices.Contains(d.accepted, e.Acceptance()):
			add(sign.Rule, "it %s: a memory says what is so, and gives no orders; if it is right as it is,"+
				" check_accept: [%s] in config.yaml of the default branch says so",
				sign.Says, e.Acceptance())
		}
	}
	if rel := posing(m.Unknown); rel != "" {
		add("link", "%s: it is no key of a memory, so it links to nothing; links: [{rel: %s, to: ID}] does", rel, rel)
	}
	if size := len(m.Title + "\n" + m.Text); size > maxText {
		add("size", "a text of %d KB: of more than %d KB an agent is given the beginning only", size>>10, maxText>>10)
	}
	return out
}
