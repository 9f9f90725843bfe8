package forge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/hub"
)

// List is all that a caller may read at a forge.
type List struct {
	ETag      string // asks whether the list is still this one; "" where the forge does not tell
	Unchanged bool   // the list is that of the etag, and is not sent again

	forge      string
	ids, names map[string]bool
}

// Among returns those of some repositories that are in the list. One with an id is told by it
// alone: its name may belong to another repository by now.
func (l List) Among(refs []hub.RepoRef) []hub.RepoRef {
	return slices.DeleteFunc(slices.Clone(refs), func(r hub.RepoRef) bool { return !l.has(r) })
}

func (l List) has(r hub.RepoRef) bool {
	if r.Forge != l.forge {
		return false
	}
	if r.ID != "" {
		return l.ids[r.ID]
	}
	return l.names[strings.ToLower(r.Name)]
}

// List asks the forge for all that a caller may read. With the etag of an earlier list, the
// answer may be that it is unchanged.
func (h *Host) List(ctx context.Context, cred hub.Credentials, etag string) (List, error) {
	if cred.Secret == "" {
		return List{}, fmt.Errorf("%w: there is no token", hub.ErrDenied)
	}
	if etag != "" {
		same, err := h.isUnchanged(ctx, cred, etag)
		if err != nil {
			return List{}, fmt.Errorf("asking %s what a caller may read: %w", h.name, err)
		}
		if same {
			return List{ETag: etag, Unchanged: true, forge: h.name}, nil
		}
	}
	list := List{forge: h.name, ids: map[string]bool{}, names: map[string]bool{}}
	if err := h.fill(ctx, cred, &list); err != nil {
		return List{}, fmt.Errorf("asking %s what a caller may read: %w", h.name, err)
	}
	return list, nil
}

// isUnchanged asks for each page of an earlier list whether it is as it was. The forge answers
// 304 then, which GitHub does not count against the caller's limit (docs.github.com, "Best
// practices for using the REST API").
func (h *Host) isUnchanged(ctx context.Context, cred hub.Credentials, etag string) (bool, error) {
	for line := range strings.SplitSeq(etag, "\n") {
		tag, address, _ := strings.Cut(line, " ")
		a, err := h.get(ctx, address, cred, tag)
		if err != nil || !a.unchanged {
			return false, err
		}
	}
	return true, nil
}

func (h *Host) fill(ctx context.Context, cred hub.Credentials, list *List) error {
	firsts, err := h.lists(ctx, h, cred)
	if err != nil {
		return err
	}
	var tags tags
	for _, first := range firsts {
		err := h.walk(ctx, first, cred, func(address string, a answer) (string, error) {
			p, err := h.parse(a.body)
			if err != nil {
				return "", err
			}
			for _, r := range p.repos {
				list.ids[r.id] = true
				list.names[strings.ToLower(r.name)] = true
			}
			if len(list.ids) > maxRepositories {
				return "", fmt.Errorf("%w: it lists more than %d repositories", ErrUnavailable, maxRepositories)
			}
			next := p.next
			next = cmp.Or(next, a.next)
			tags.add(a.etag, address, next == "" && p.size%pageStep == 0)
			return next, nil
		})
		if err != nil {
			return err
		}
	}
	list.ETag = tags.joined()
	return nil
}

// pageStep divides how many repositories a page holds at most: 50 or 100.
const pageStep = 50

// maxPages ends a list that leads on without end.
const maxPages = 2 * maxRepositories / pageStep

// walk reads pages from the first on; each returns the address of the next, "" after the last.
func (h *Host) walk(
	ctx context.Context, path string, cred hub.Credentials,
	each func(address string, a answer) (next string, err error),
) error {
	address := h.base.String() + path
	for range maxPages {
		a, err := h.get(ctx, address, cred, "")
		if err != nil {
			return err
		}
		address, err = each(address, a)
		if err != nil || address == "" {
			return err
		}
	}
	return fmt.Errorf("%w: its list has no end", ErrUnavailable)
}

// tags are the etags of the pages of a list.
type tags struct {
	lines   []string
	unknown bool
}

// add notes the etag of a page. A last page that is full says nothing about a page that may
// follow it one day, so a list that ends with it has no etag.
func (t *tags) add(etag, address string, full bool) {
	t.unknown = t.unknown || full || etag == "" || strings.ContainsAny(etag, " \n")
	t.lines = append(t.lines, etag+" "+address)
}

func (t *tags) joined() string {
	if t.unknown {
		return ""
	}
	return strings.Join(t.lines, "\n")
}
