package threads

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Reply is a reviewer's word on a memory of the pull request: a line "cortex: no ID" refuses it,
// "cortex: keep ID" keeps a lesson, or takes back a refusal.
type Reply struct {
	ID   string // or the beginning of one
	Keep bool
	By   *Comment
}

// Replies are the replies of those who may write to the repository; of several about one memory the
// last. A line in a quotation or in code is none.
func (t *Talk) Replies() []Reply {
	var out []Reply
	heard := lists.Without(t.comments(), func(c *Comment) bool { return !c.Writes || c.Bot })
	for _, c := range heard {
		for _, line := range prose.Lines(c.Body) {
			out = append(out, repliesIn(line, c)...)
		}
	}
	var last []Reply
	for i, r := range out {
		if !slices.ContainsFunc(out[i+1:], r.isAbout) {
			last = append(last, r)
		}
	}
	return last
}

// isAbout reports whether two replies name one memory.
func (r Reply) isAbout(other Reply) bool {
	return strings.HasPrefix(r.ID, other.ID) || strings.HasPrefix(other.ID, r.ID)
}

// replyLine finds a reply, and the ids in it. An id must have some characters, so that it names one.
var replyLine = lazy.Pattern("(?i)^`?cortex: *(no|keep)((?:[ ,]+[0-9a-hjkmnp-tv-z]{4,16})+)`?[.!]?$")

func repliesIn(line string, by *Comment) []Reply {
	found := replyLine().FindStringSubmatch(strings.TrimSpace(line))
	if found == nil {
		return nil
	}
	var out []Reply
	for _, id := range strings.FieldsFunc(strings.ToLower(found[2]),
		func(r rune) bool { return r == ' ' || r == ',' }) {
		out = append(out, Reply{ID: id, Keep: strings.EqualFold(found[1], "keep"), By: by})
	}
	return out
}

// Act is a file that a reply asks to remove or to write.
type Act struct {
	Memory *memory.Memory
	Path   string
	Keep   bool
	By     *Comment
}

// MarshalJSON writes the memory by its id, and who asks for what.
func (a Act) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID    memory.ID `json:"id"`
		Title string    `json:"title"`
		Path  string    `json:"path"`
		Keep  bool      `json:"keep"`
		By    string    `json:"by"`
		URL   string    `json:"url"`
	}{a.Memory.ID, a.Memory.Title, a.Path, a.Keep, a.By.By, a.By.URL})
}

// acts follow the replies that are about memories of the pull request or about lessons of its review. A
// reply about anything else asks for nothing here, nor does one that was followed already.
func acts(replies []Reply, added []workspace.Entry, lessons []Lesson) []Act {
	out := []Act{}
	for _, r := range replies {
		if r.Keep {
			out = append(out, r.kept(lessons)...)
			continue
		}
		for _, e := range added {
			if r.names(e.Memory.ID) {
				out = append(out, Act{Memory: e.Memory, Path: e.Path, By: r.By})
			}
		}
	}
	return out
}

func (r *Reply) names(id memory.ID) bool { return strings.HasPrefix(string(id), r.ID) }

func (r *Reply) kept(lessons []Lesson) []Act {
	var out []Act
	for _, l := range lessons {
		if r.names(l.Memory.ID) {
			out = append(out, Act{Memory: l.Memory, Path: view.MemoryPath(l.Memory.Path()), Keep: true, By: r.By})
		}
	}
	return out
}

// refused reports whether a reply refuses a lesson.
func refused(id memory.ID, replies []Reply) bool {
	return slices.ContainsFunc(replies, func(r Reply) bool { return !r.Keep && r.names(id) })
}

// Apply does what replies ask for, in the files of the working tree.
func Apply(ctx context.Context, w *workspace.Workspace, acts []Act) error {
	tree, err := w.Tree()
	if err != nil {
		return err
	}
	for _, a := range acts {
		if a.Keep {
			_, err = tree.Write(a.Path, workspace.LandedForm(a.Memory))
		} else {
			err = tree.Remove(a.Path, workspace.Dir)
		}
		if err != nil {
			return err
		}
	}
	return w.RefreshPages(ctx)
}
