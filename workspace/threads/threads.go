// Package threads learns from the review of a pull request: a comment that was followed by a change
// becomes a proposed rule or decision, a suggestion that was turned down a rejection. Call [Read] with
// the JSON of a forge's API, then [Learn]. It asks no network, and promises that nothing it proposes lands
// without a person's word, and that only who may write to the repository is heard as a person.
package threads

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
)

// Talk holds the comments of one pull request.
type Talk struct {
	Threads []Thread
	Remarks []Comment // on the pull request as a whole

	levels map[string]int // access levels of GitLab by user name
	first  map[string]int // threads of GitHub's REST API by the id of their first comment
	page   string         // of a merge request, to which its notes are anchored
}

// Thread is a comment on lines of a file, with the replies to it.
type Thread struct {
	Path, Commit string // of the lines, "" for a thread on the whole
	First, Last  int    // lines at Commit; 0 for the whole file
	Resolved     bool   // somebody closed it
	Moved        bool   // the forge says that the lines changed since
	Applied      bool   // the forge says that a suggestion in it was applied
	Comments     []Comment
}

// Comment is one comment, by a person or a bot.
type Comment struct {
	By     string // the user's name
	Bot    bool
	Writes bool // whether the user may write to the repository
	When   time.Time
	Body   string
	URL    string
}

// maxInput bounds the input, in bytes.
const maxInput = 16 << 20

// ErrNothing is an input that says nothing of a review.
var ErrNothing = errors.New("this is not what a forge's API says of a pull request")

// Read reads JSON values as forges give them, one after another and in any order: of GitHub the pull
// request, its review comments, its review threads (GraphQL) and its comments; of GitLab the merge
// request, its discussions and the members of the project. All other values are passed over.
func Read(in io.Reader) (*Talk, error) {
	t := &Talk{levels: map[string]int{}, first: map[string]int{}}
	known := false
	dec := json.NewDecoder(io.LimitReader(in, maxInput))
	for {
		var one json.RawMessage
		err := dec.Decode(&one)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading the review, of which at most %d MB are read: %w", maxInput>>20, err)
		}
		known = t.takeAll(one, deepest) || known
	}
	if !known {
		return nil, ErrNothing
	}
	t.settle()
	return t, nil
}

// deepest is how many lists may stand in each other, as pages of answers do.
const deepest = 3

// takeAll takes in a value, or the values of a list, and reports whether one was of a review. An empty
// list may be one.
func (t *Talk) takeAll(one json.RawMessage, depth int) bool {
	var list []json.RawMessage
	if json.Unmarshal(one, &list) != nil {
		var v value
		return json.Unmarshal(one, &v) == nil && t.take(&v)
	}
	known := len(list) == 0
	if depth == 0 {
		return known
	}
	for _, each := range list {
		known = t.takeAll(each, depth-1) || known
	}
	return known
}

// settle fills in the facts that are only known once all was read.
func (t *Talk) settle() {
	for _, c := range t.comments() {
		c.Writes = c.Writes || t.levels[c.By] >= developer
		if strings.HasPrefix(c.URL, "#") {
			c.URL = t.page + c.URL
		}
	}
	t.Threads = lists.Without(t.Threads, func(th Thread) bool { return len(th.Comments) == 0 })
}

// comments are the comments of the pull request, the oldest first.
func (t *Talk) comments() []*Comment {
	var out []*Comment
	for i := range t.Threads {
		out = append(out, pointers(t.Threads[i].Comments)...)
	}
	out = append(out, pointers(t.Remarks)...)
	lists.Sort(out, func(a, b *Comment) int { return a.When.Compare(b.When) })
	return out
}

func pointers(list []Comment) []*Comment {
	out := make([]*Comment, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}
