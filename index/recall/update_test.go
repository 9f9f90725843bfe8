package recall

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// kept is a table in a file, and the memories that it is to have.
type kept struct {
	t      *testing.T
	path   string
	all    []*memory.Memory
	docs   []Doc
	serial int
	loaded []string // blobs, since the last look
}

func newKept(t *testing.T) *kept {
	return &kept{t: t, path: filepath.Join(t.TempDir(), "recall", "main")}
}

// put adds a memory at a place.
func (k *kept) put(at int, m *memory.Memory) {
	k.serial++
	k.all = slices.Insert(k.all, at, m)
	k.docs = slices.Insert(k.docs, at, Doc{Blob: fmt.Sprintf("%040x", k.serial*7919)})
}

func (k *kept) drop(at int) (*memory.Memory, Doc) {
	m, d := k.all[at], k.docs[at]
	k.all, k.docs = slices.Delete(k.all, at, at+1), slices.Delete(k.docs, at, at+1)
	return m, d
}

func (k *kept) load(i int) *memory.Memory {
	k.loaded = append(k.loaded, k.docs[i].Blob)
	return k.all[i]
}

func (k *kept) stamp() string {
	return fmt.Sprintf("%x", sha256.Sum224(fmt.Append(nil, k.docs)))
}

// renew renews the table, and returns it as the next process finds it.
func (k *kept) renew() *Table {
	k.t.Helper()
	k.loaded = nil
	made, err := Renew(k.path, k.stamp(), k.docs, 1<<20, k.load)
	if err != nil {
		k.t.Fatal(err)
	}
	if err := made.Close(); err != nil {
		k.t.Fatal(err)
	}
	found, err := Open(k.path)
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { _ = found.Close() })
	if found.Stamp() != k.stamp() {
		k.t.Fatal("the table that is kept is of other memories")
	}
	return found
}

// check compares what a table finds with what one finds that is made anew.
func (k *kept) check(got *Table, moments ...Moment) {
	k.t.Helper()
	want, err := Read(string(Build("", k.docs, nil, 1<<20, func(i int) *memory.Memory { return k.all[i] })))
	if err != nil {
		k.t.Fatal(err)
	}
	for _, m := range moments {
		if diff := cmp.Diff(want.Find(m, Options{All: true}), got.Find(m, Options{All: true}), cmpopts.EquateEmpty(), cmp.AllowUnexported(Hit{})); diff != "" {
			k.t.Fatalf("%s: a table that was renewed differs from one that is new:\n%s", m.Prompt, diff)
		}
	}
}

// TestRenewLoadsWhatChanged: what is derived again is what changed, however many
// memories there are, and the large file stays as it is.
func TestRenewLoadsWhatChanged(t *testing.T) {
	k := newKept(t)
	for i := range 600 {
		k.put(i, made(fmt.Sprintf("Item %d of the river survey", i), fmt.Sprintf("Station %d reads gauge %d by hand.", i%37, i%11)))
	}
	k.renew()
	if len(k.loaded) != 600 {
		t.Fatalf("loaded %d memories for the first table", len(k.loaded))
	}
	large, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	asked := Moment{Kind: Prompt, Prompt: "which gauge does station 11 of the survey read, and the otter?"}
	change := func(what string, loads int, do func()) {
		t.Helper()
		do()
		k.check(k.renew(), asked)
		if len(k.loaded) != loads {
			t.Errorf("%s: %d memories were derived again, not %d", what, len(k.loaded), loads)
		}
		if now, err := os.ReadFile(k.path); err != nil || string(now) != string(large) {
			t.Errorf("%s: the whole table was written again (%v)", what, err)
		}
	}
	change("nothing", 0, func() {})
	change("edited", 1, func() { k.drop(300); k.put(300, made("An otter lives at station 11", "It is counted by hand.")) })
	change("added", 3, func() {
		for i := range 3 {
			k.put(100*i, made(fmt.Sprint("Added ", i), "Station 11 has a new gauge."))
		}
	})
	change("removed", 0, func() { k.drop(0); k.drop(450) })
	change("archived", 0, func() { k.docs[5].Archived = true; k.docs[100].Archived = true })
	change("moved", 0, func() {
		m, d := k.drop(40)
		k.all, k.docs = append(k.all, m), append(k.docs, d)
	})
	change("as before", 0, func() { k.docs[5].Archived = false })
}

// TestRenewIsAsNew: whatever changes, in whatever order, a table that was made by what
// changed finds what one finds that is made anew.
func TestRenewIsAsNew(t *testing.T) {
	for _, size := range testrun.Sample(4, []int{0, 3, 150, 199, 205, 390, 410, 900}) {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(size), 5))
			words := strings.Fields("otter heron badger marten lynx beaver vole stoat newt adder shrew kite owl raven swift bream perch pike tench carp")
			some := func() *memory.Memory {
				var text []string
				for range 1 + r.IntN(12) {
					text = append(text, words[min(r.IntN(len(words)), r.IntN(len(words)))])
				}
				return made(fmt.Sprintf("Note %d", r.IntN(1<<30)), strings.Join(text, " ")+".", fmt.Sprint("command: ", words[r.IntN(len(words))]))
			}
			k := newKept(t)
			for range size {
				k.put(len(k.all), some())
			}
			for range testrun.Rounds(20, 60) {
				for range 1 + r.IntN(1+size/40) {
					switch n := len(k.all); {
					case n == 0 || r.IntN(3) == 0:
						k.put(r.IntN(n+1), some())
					case r.IntN(3) == 0:
						i := r.IntN(n)
						k.docs[i].Archived = !k.docs[i].Archived
					case r.IntN(4) == 0:
						m, d := k.drop(r.IntN(n))
						i := r.IntN(n)
						k.all, k.docs = slices.Insert(k.all, i, m), slices.Insert(k.docs, i, d)
					default:
						k.drop(r.IntN(n))
					}
				}
				table := k.renew()
				k.check(table,
					Moment{Kind: Prompt, Prompt: words[r.IntN(len(words))]},
					Moment{Kind: Prompt, Prompt: "note " + words[0] + " " + words[1] + " " + words[19]},
					Moment{Kind: Command, Command: words[3], Triggers: []string{"command: " + words[3]}})
			}
		})
	}
}

// TestRenewDamage: whatever bit of the second file changes, it is not used, or what it
// says is true.
func TestRenewDamage(t *testing.T) {
	k := newKept(t)
	for i := range 30 {
		k.put(i, made(fmt.Sprintf("Item %d of the river survey", i), "Gauges are read by hand."))
	}
	k.renew()
	k.drop(4)
	otter := made("An otter lives here", "It is counted by hand.")
	k.put(9, otter)
	k.renew()
	good, err := os.ReadFile(k.path + sinceEnding)
	if err != nil {
		t.Fatal(err)
	}
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x10
		if err := os.WriteFile(k.path+sinceEnding, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := Open(k.path)
		if err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		for _, h := range table.Find(Moment{Kind: Prompt, Prompt: "otter"}, Options{All: true}) {
			if h.ID != otter.ID || !strings.Contains(h.Line, "counted") {
				t.Errorf("byte %d: %+v", i, h)
			}
		}
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(k.path+sinceEnding, good[:len(good)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	k.check(k.renew(), Moment{Kind: Prompt, Prompt: "otter"})
	if len(k.loaded) != 1 {
		t.Errorf("loaded %d memories to mend the second file", len(k.loaded))
	}
}

// TestRenewOtherTable: what changed since another table is not taken for what changed
// since this one.
func TestRenewOtherTable(t *testing.T) {
	k := newKept(t)
	for i := range 30 {
		k.put(i, made(fmt.Sprintf("Item %d of the river survey", i), "Gauges are read by hand."))
	}
	k.renew()
	k.drop(3)
	k.renew()
	other := Build("another", k.docs, nil, 1<<20, func(i int) *memory.Memory { return k.all[i] })
	if err := os.WriteFile(k.path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if table.Stamp() != "another" {
		t.Errorf("the table has the stamp %q", table.Stamp())
	}
	k.check(table, Moment{Kind: Prompt, Prompt: "item 3 of the survey"})
}
