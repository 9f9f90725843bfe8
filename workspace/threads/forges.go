package threads

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
)

// value is any of the objects that are read, with the fields that are looked at.
type value struct {
	ID        json.RawMessage `json:"id"`
	Author    account         `json:"author"`
	User      account         `json:"user"`
	Body      string          `json:"body"`
	CreatedAt string          `json:"created_at"`

	// Of GitHub: a comment of a review or of a pull request, and a pull request.
	Association string          `json:"author_association"`
	HTMLURL     string          `json:"html_url"`
	ReplyTo     json.RawMessage `json:"in_reply_to_id"`
	Path        string          `json:"path"`
	Commit      string          `json:"original_commit_id"`
	Line        int             `json:"line"`
	WasLine     int             `json:"original_line"`
	WasStart    int             `json:"original_start_line"`
	IssueURL    string          `json:"issue_url"`
	Head        *struct{}       `json:"head"`
	Data        *graph          `json:"data"`

	// Of GitLab: a discussion, a merge request and a member.
	Notes       []note `json:"notes"`
	IID         int    `json:"iid"`
	WebURL      string `json:"web_url"`
	Username    string `json:"username"`
	AccessLevel int    `json:"access_level"`
}

// account is a user, of either forge. The zero account is nobody.
type account struct {
	Login    string `json:"login"`
	Username string `json:"username"`
	Type     string `json:"type"`
	Kind     string `json:"__typename"`
}

func (a *account) name() string { return cmp.Or(a.Login, a.Username) }

// isBot reports whether a user is a program: a forge says so, or the name has the form that forges
// give to users of tokens.
func (a *account) isBot() bool {
	told := slices.Contains([]string{a.Type, a.Kind}, "Bot")
	return told || strings.Contains(a.Username, "_bot_") || strings.HasSuffix(a.Login, "[bot]")
}

// graph is the answer to a question for review threads in GraphQL.
type graph struct {
	Repository struct {
		PullRequest struct {
			Threads struct {
				Nodes []graphThread `json:"nodes"`
			} `json:"reviewThreads"`
		} `json:"pullRequest"`
	} `json:"repository"`
}

type graphThread struct {
	IsResolved bool   `json:"isResolved"`
	IsOutdated bool   `json:"isOutdated"`
	Path       string `json:"path"`
	WasLine    int    `json:"originalLine"`
	WasStart   int    `json:"originalStartLine"`
	Comments   struct {
		Nodes []graphComment `json:"nodes"`
	} `json:"comments"`
}

type graphComment struct {
	Author      account `json:"author"`
	Association string  `json:"authorAssociation"`
	Body        string  `json:"body"`
	CreatedAt   string  `json:"createdAt"`
	URL         string  `json:"url"`
	Commit      struct {
		OID string `json:"oid"`
	} `json:"originalCommit"`
}

// note is a comment of GitLab.
type note struct {
	ID        int64   `json:"id"`
	Author    account `json:"author"`
	Body      string  `json:"body"`
	CreatedAt string  `json:"created_at"`
	System    bool    `json:"system"`
	Resolved  bool    `json:"resolved"`
	Position  struct {
		Commit string `json:"head_sha"`
		Path   string `json:"new_path"`
		Line   int    `json:"new_line"`
	} `json:"position"`
	Suggestions []suggestion `json:"suggestions"`
}

type suggestion struct {
	Applied bool `json:"applied"`
}

// developer is the access level of GitLab from which a member may push.
const developer = 30

// mayWrite reports whether an association of GitHub is of somebody who may write.
func mayWrite(association string) bool {
	return slices.Contains([]string{"OWNER", "MEMBER", "COLLABORATOR"}, association)
}

// take takes in an object, and reports whether it was one of a review.
func (t *Talk) take(v *value) bool {
	switch {
	case v.Data != nil:
		for i := range v.Data.Repository.PullRequest.Threads.Nodes {
			t.takeGraphThread(&v.Data.Repository.PullRequest.Threads.Nodes[i])
		}
	case v.Commit != "":
		t.takeReviewComment(v)
	case v.IssueURL != "":
		t.Remarks = append(t.Remarks, v.comment())
	case len(v.Notes) > 0:
		t.takeDiscussion(v.Notes)
	case v.AccessLevel > 0:
		t.levels[v.Username] = v.AccessLevel
	case v.IID > 0:
		t.page = v.WebURL
	default:
		return v.Head != nil // of a pull request of GitHub nothing is needed
	}
	return true
}

// comment is a comment by a user, as a forge tells it.
func comment(by *account, created, body, url string) Comment {
	when, _ := time.Parse(time.RFC3339, created)
	return Comment{By: by.name(), Bot: by.isBot(), When: when, Body: body, URL: url}
}

func (v *value) comment() Comment {
	c := comment(&v.User, v.CreatedAt, v.Body, v.HTMLURL)
	c.Writes = mayWrite(v.Association)
	return c
}

// takeReviewComment takes in a comment of the REST API, which lists the comments of all threads in one
// list and says nothing of whether a thread was resolved.
func (t *Talk) takeReviewComment(v *value) {
	at, reply := t.first[string(v.ReplyTo)]
	if !reply {
		at = len(t.Threads)
		t.first[string(v.ID)] = at
		t.Threads = append(t.Threads, Thread{
			Path: v.Path, Commit: v.Commit, First: cmp.Or(v.WasStart, v.WasLine), Last: v.WasLine,
			Moved: v.Line == 0 && v.WasLine > 0,
		})
	}
	t.Threads[at].Comments = append(t.Threads[at].Comments, v.comment())
}

func (t *Talk) takeGraphThread(g *graphThread) {
	th := Thread{
		Path: g.Path, First: cmp.Or(g.WasStart, g.WasLine), Last: g.WasLine,
		Resolved: g.IsResolved, Moved: g.IsOutdated,
	}
	for i := range g.Comments.Nodes {
		said := &g.Comments.Nodes[i]
		c := comment(&said.Author, said.CreatedAt, said.Body, said.URL)
		c.Writes = mayWrite(said.Association)
		th.Commit = cmp.Or(th.Commit, said.Commit.OID)
		th.Comments = append(th.Comments, c)
	}
	t.Threads = append(t.Threads, th)
}

// takeDiscussion takes in a discussion of GitLab. One that is no more than a comment on the whole is a
// remark.
func (t *Talk) takeDiscussion(notes []note) {
	var th Thread
	for i := range notes {
		th.takeNote(&notes[i])
	}
	if th.Path == "" && len(th.Comments) == 1 {
		t.Remarks = append(t.Remarks, th.Comments...)
		return
	}
	t.Threads = append(t.Threads, th)
}

// takeNote takes in a note: a comment, or what GitLab itself says of the lines.
func (th *Thread) takeNote(n *note) {
	if n.System {
		th.Moved = th.Moved || begins("moved", prose.Words(n.Body))
		return
	}
	th.Path, th.Commit = cmp.Or(th.Path, n.Position.Path), cmp.Or(th.Commit, n.Position.Commit)
	th.Last = cmp.Or(th.Last, n.Position.Line)
	th.First = th.Last
	th.Resolved = th.Resolved || n.Resolved
	th.Applied = th.Applied || slices.ContainsFunc(n.Suggestions, func(s suggestion) bool { return s.Applied })
	th.Comments = append(th.Comments, comment(&n.Author, n.CreatedAt, n.Body, fmt.Sprintf("#note_%d", n.ID)))
}
