package exchange

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// remoteJournal is the usable part of a remote's journal. The rest counts as
// unchanged: it is not taken, and it is not removed from the remote either.
type remoteJournal struct {
	have    state
	refused []gitops.Refusal
	bad     map[string]bool // paths of refused
	left    map[string]bool // of those, regular files: a newer cortex may know them, so ours do not replace them
}

// refuse passes over a regular file because of its content or its name.
func (f *remoteJournal) refuse(p, reason string) {
	f.refused = append(f.refused, gitops.Refusal{Path: p, Reason: reason})
	f.bad[p], f.left[p] = true, true
	delete(f.have, p)
}

// blocked reports whether p, or a folder that it is in, was refused.
func (f *remoteJournal) blocked(p string) bool {
	for ; p != "." && p != "/"; p = path.Dir(p) {
		if f.bad[p] {
			return true
		}
	}
	return false
}

// theirs reads and checks the journal of the remote before anything is made of
// it: modes, paths, sizes, and that the content of each new file fits its path.
func (x *run) theirs(ctx context.Context, commit gitops.ObjectID) (*remoteJournal, error) {
	f := &remoteJournal{have: state{}, bad: map[string]bool{}, left: map[string]bool{}}
	if commit == "" {
		return f, nil
	}
	snap, err := x.w.Repo.Journal().At(ctx, commit)
	if err != nil {
		return nil, fmt.Errorf("%s has no journal that can be used: %w", x.out.Remote, err)
	}
	defer snap.Close()
	if err := journal.CheckFormat(ctx, snap); err != nil {
		return nil, fmt.Errorf("%s: %w", x.out.Remote, err)
	}
	entries, refused, err := snap.Vet(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s has no journal that can be used: %w", x.out.Remote, err)
	}
	f.refused = refused
	for _, r := range refused {
		f.bad[r.Path] = true
	}
	here, err := x.w.Journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	known, err := listing(ctx, here)
	if err != nil {
		return nil, err
	}
	fresh := f.vetPaths(entries, known)
	if err := f.vetNew(ctx, x.w.Repo, snap, fresh); err != nil {
		return nil, err
	}
	x.out.Refused = f.refused
	return f, nil
}

// vetPaths checks the names of files, and returns those of which we do not have the content.
func (f *remoteJournal) vetPaths(entries []gitops.Entry, known state) (fresh []gitops.Entry) {
	folded := map[string]string{}
	for _, e := range entries {
		f.have[e.Path] = e.Blob
		reason := vetPath(e.Path)
		if reason == "" {
			first, twice := folded[caseless(e.Path)]
			if folded[caseless(e.Path)] = e.Path; twice {
				reason = "it differs from " + first + " only in letter case"
			}
		}
		switch {
		case reason != "":
			f.refuse(e.Path, reason)
		case known[e.Path] != e.Blob:
			fresh = append(fresh, e)
		}
	}
	return fresh
}

// vetNew checks the content of files that we do not have.
func (f *remoteJournal) vetNew(ctx context.Context, repo *gitops.Repo, snap *gitops.Snapshot,
	entries []gitops.Entry,
) error {
	ids := make([]gitops.ObjectID, len(entries))
	for i, e := range entries {
		ids[i] = e.Blob
	}
	sizes, err := repo.BlobSizes(ctx, ids)
	if err != nil {
		return err
	}
	small := entries[:0]
	for _, e := range entries {
		size, ok := sizes[e.Blob]
		switch {
		case !ok:
			f.refuse(e.Path, "it is not a file's content")
		case size > sizeLimit(e.Path):
			f.refuse(e.Path, fmt.Sprintf("it has %d bytes, at most %d", size, sizeLimit(e.Path)))
		default:
			small = append(small, e)
		}
	}
	err = snap.Read(ctx, small, func(e gitops.Entry, data []byte) error {
		if reason := vetContent(e.Path, data); reason != "" {
			f.refuse(e.Path, reason)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("checking what was fetched: %w", err)
	}
	return nil
}

// caseless returns p as a file system sees it that ignores case. Names of
// branches keep theirs: they are encoded and may differ in case.
func caseless(p string) string {
	parts := strings.SplitN(p, "/", 3)
	if parts[0] == "pending" && len(parts) == 3 {
		return parts[0] + "/" + parts[1] + "/" + strings.ToLower(parts[2])
	}
	return strings.ToLower(p)
}

func sizeLimit(p string) int64 {
	if strings.HasPrefix(p, "pending/") || strings.HasPrefix(p, "dismissed/") {
		return memory.MaxFile
	}
	return gitops.MaxFile
}

// vetPath returns why a file of the journal must not be exchanged, judged by its
// path; "" for one that may be.
func vetPath(p string) string {
	parts := strings.Split(p, "/")
	ok := false
	switch parts[0] {
	case "pending":
		return vetPendingPath(p, parts)
	case "dismissed":
		_, err := memory.ParseID(parts[1])
		ok = err == nil
	case "access":
		id := strings.TrimSuffix(parts[1], ".tsv")
		ok = len(id) == 16 && consistsOf(id, "0123456789abcdef")
	case "sessions":
		ok = true
	}
	if !ok {
		return notJournal
	}
	return ""
}

const notJournal = "not a path of the journal"

// consistsOf reports whether s has nothing but some characters, and is not empty.
func consistsOf(s, chars string) bool { return s != "" && strings.Trim(s, chars) == "" }

func vetPendingPath(p string, parts []string) string {
	short, _ := places.Short(p)
	switch {
	case !memory.Type(parts[2]).Valid():
		return "not a type of memory"
	case !endsInID(short):
		return "its name does not end in an id"
	case !consistsOf(strings.TrimSuffix(parts[4], "-"+short+".md"), "abcdefghijklmnopqrstuvwxyz0123456789-"):
		return notJournal
	}
	return ""
}

// endsInID reports whether the end of a file's name is a whole id, or a short one.
func endsInID(end string) bool {
	short := len(end) == shortID && memory.IsIDPrefix(end)
	_, err := memory.ParseID(end)
	return err == nil || short
}

// shortID is how long an id is at the end of a file's name, see [memory.ID.Short].
const shortID = 7

// vetContent returns in what a file differs from what its path promises; "" when
// it keeps the promise.
func vetContent(p string, data []byte) string {
	if data == nil {
		return "it cannot be read"
	}
	vet, ok := map[string]func(p string, data []byte) string{
		"pending": vetPending, "dismissed": vetDismissed, "access": vetAccess, "sessions": vetRecord,
	}[familyOf(p)]
	if !ok {
		return ""
	}
	return vet(p, data)
}

const otherMemory = "it is not the memory that its name says"

func vetPending(p string, data []byte) string {
	m, err := memory.Parse(p, data)
	if err != nil {
		return "line " + strings.TrimPrefix(err.Error(), p+":")
	}
	if short, _ := places.Short(p); !strings.HasPrefix(string(m.ID), short) {
		return otherMemory
	}
	return ""
}

func vetDismissed(p string, data []byte) string {
	if id := idIn(p, data); id != "" && string(id) != path.Base(p) {
		return otherMemory
	}
	return ""
}

func vetAccess(_ string, data []byte) string {
	if !bytes.Equal(journal.FormatAccess(journal.ParseAccess(data)), data) {
		return "not a list of counters"
	}
	return ""
}

func vetRecord(p string, data []byte) string {
	s, err := session.Parse(data)
	if err != nil {
		return err.Error()
	}
	if path.Base(s.Path()) != path.Base(p) {
		return "it is not the record of the session that its name says"
	}
	return ""
}
