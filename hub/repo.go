package hub

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// State says how far a repository can be believed.
type State string

// The states of a repository.
const (
	New    State = ""       // never read
	Ready  State = "ready"  // as its default branch was when it was last looked at
	Stale  State = "stale"  // git or the forge did not answer since: as it was before
	Gone   State = "gone"   // the forge says that there is none: in no answer
	Parked State = "parked" // reading it failed too often: as it was before, until an event or a person asks
)

// Repo is a repository of the hub, with what its default branch holds. It is a value that is
// replaced as a whole: whoever has one may read it for good.
type Repo struct {
	RepoRef
	Ref string `json:"ref,omitempty"` // the default branch
	OID string `json:"oid,omitempty"` // the commit that Files are of

	State   State     `json:"state,omitempty"`
	Tries   int       `json:"tries,omitempty"` // that failed, one after the other
	Says    string    `json:"says,omitempty"`  // the last failure
	Added   time.Time `json:"added"`
	Moved   time.Time `json:"moved,omitzero"`   // when Files last changed
	Checked time.Time `json:"checked,omitzero"` // when Files were last known to be those of the branch
	Due     time.Time `json:"due,omitzero"`     // when it is to be looked at next
	Missing time.Time `json:"missing,omitzero"` // since when the forge says that there is none
	Judged  int       `json:"judged,omitempty"` // the version of judge that Files are by

	Purged int `json:"purged,omitempty"` // files that were left out since, because they were purged

	Lost     *Lost  `json:"lost,omitempty"`     // what a push took away that is still kept
	Restored string `json:"restored,omitempty"` // the commit of the branch whose loss was undone here; OID is older

	Files map[string]File `json:"files,omitempty"` // by path
}

// File is a memory file of a repository.
type File struct {
	Blob    string    `json:"blob"`
	ID      memory.ID `json:"id,omitempty"`     // "" for what is no memory
	Flags   []string  `json:"flags,omitempty"`  // what is suspicious about it
	Errors  []string  `json:"errors,omitempty"` // signatures of errors that bring it back
	Problem string    `json:"problem,omitempty"`
}

// Key names the repository among those of the hub, as a name of a folder can.
func (a RepoRef) Key() string {
	sum := sha256.Sum256([]byte(a.Forge + "\x00" + strings.ToLower(cmp.Or(a.Name, a.URL))))
	return hex.EncodeToString(sum[:10])
}

// Shown reports whether answers may hold what the repository holds.
func (r *Repo) Shown() bool { return r.State != Gone && r.OID != "" }

// Outdated reports whether the repository may hold something else by now.
func (r *Repo) Outdated() bool { return r.State == Stale || r.State == Parked || r.Restored != "" }

// named reports whether ref names the repository: by the id that its forge gave it, by its name, or
// by where it is fetched. An id that differs is another repository of the same name.
func (r *Repo) named(ref RepoRef) bool {
	if r.Forge != ref.Forge {
		return false
	}
	if r.ID != "" && ref.ID != "" {
		return r.ID == ref.ID
	}
	if ref.Name != "" {
		return strings.EqualFold(r.Name, ref.Name)
	}
	return r.URL == ref.URL
}

// The times after which a repository is looked at again.
const (
	soonest  = 45 * time.Second // of one that moves
	latest   = 8 * time.Hour    // of one that does not
	maxDelay = time.Hour        // after failures
	maxTries = 8                // before a repository is parked
	goneFor  = 24 * time.Hour   // between two words of a forge that a repository is gone
)

// pause is how long a repository is left alone that is as it was: half of the time since it moved.
func (r *Repo) pause(now time.Time) time.Duration {
	since := r.Added
	if r.Moved.After(since) {
		since = r.Moved
	}
	return min(max(now.Sub(since)/2, soonest), latest)
}

// ErrGone says that the forge has no such repository. A [Mirror] returns it.
var ErrGone = errors.New("the forge has no such repository")

// failed is the repository after a failure. What it holds stays: no error is a state of the branch.
// Failures of git or the forge are tried again for ever, any other until it is parked.
func (r Repo) failed(now time.Time, err error, ours bool) Repo {
	r.Tries++
	r.Says = err.Error()
	r.Due = now.Add(min(time.Duration(r.Tries*r.Tries)*time.Second, maxDelay))
	switch {
	case errors.Is(err, ErrGone):
		return r.gone(now)
	case ours && r.Tries >= maxTries:
		r.State = Parked
	default:
		r.State = Stale
	}
	return r
}

// gone hides the repository. What it held goes when the forge says so again a day later.
func (r Repo) gone(now time.Time) Repo {
	if r.Missing.IsZero() {
		r.Missing = now
	}
	r.State, r.Due = Gone, now.Add(maxDelay)
	if now.Sub(r.Missing) >= goneFor {
		r.Files, r.OID, r.Due = nil, "", now.Add(goneFor)
	}
	return r
}

// fresh is the repository when its branch was seen to be what Files are of.
func (r Repo) fresh(now time.Time) Repo {
	r.State, r.Tries, r.Says, r.Checked, r.Missing = Ready, 0, "", now, time.Time{}
	r.Due = now.Add(r.pause(now))
	if r.Lost.over(now) {
		r.Lost = nil
	}
	return r
}
