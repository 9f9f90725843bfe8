package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/testrun"
)

// powered is a victim on an ext4 image. At any moment the image file holds the
// bytes that a disk would hold if the power failed then: the rest is in memory
// still, and for ten minutes nothing but an fsync brings it out.
type powered struct {
	*victim
	root, image string
	outages     []outage
}

// outage is a copy of the image, what must be on it, and how that is seen.
type outage struct {
	after, image string
	kept         []string
	survived     func(after string)
}

func newPowered(t *testing.T) *powered {
	t.Helper()
	dir := t.TempDir()
	p := &powered{root: filepath.Join(dir, "disk"), image: filepath.Join(dir, "image")}
	if err := os.Mkdir(p.root, 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(p.image)
	if err == nil {
		err = f.Truncate(24 << 20)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", p.image).CombinedOutput(); err != nil {
		t.Skipf("an ext4 cannot be made here: %v %s", err, out)
	}
	if err := p.mount(p.image); err != nil {
		t.Skipf("an image cannot be mounted here (it takes root and loop devices): %v", err)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", p.root).Run() })
	p.victim = newVictim(t, newCheckoutAt(t, filepath.Join(p.root, "repo")))
	p.run("", "sync", "-f", p.root) // what git has written was never synced
	return p
}

func (p *powered) mount(image string) error {
	out, err := exec.Command("mount", "-o", "loop,commit=600", image, p.root).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func (p *powered) unmount() {
	p.t.Helper()
	if out, err := exec.Command("umount", p.root).CombinedOutput(); err != nil {
		p.t.Fatalf("%v %s", err, out)
	}
}

// cut notes the state of the disk, to which nothing may be writing.
func (p *powered) cut(after string, survived func(after string)) {
	p.t.Helper()
	o := outage{after, fmt.Sprintf("%s-%d", p.image, len(p.outages)), slices.Clone(p.kept), survived}
	if out, err := exec.Command("cp", "--sparse=always", p.image, o.image).CombinedOutput(); err != nil {
		p.t.Fatalf("%v %s", err, out)
	}
	p.outages = append(p.outages, o)
}

// survive starts from each of the noted states in turn.
func (p *powered) survive() {
	p.t.Helper()
	p.unmount()
	for _, o := range p.outages {
		if err := p.mount(o.image); err != nil {
			p.t.Fatalf("after %s: %v", o.after, err)
		}
		p.kept = slices.Clone(o.kept)
		o.survived(o.after)
		// Caches are not synced but checked: what a torn one held is made again.
		if out, err := p.start("", "cortex", "search", "--json", "--limit", "1", o.kept[0]); failure(err) != nil || !strings.Contains(out, o.kept[0]) {
			p.t.Errorf("searching after %s: %v\n%s", o.after, err, out)
		}
		p.unmount()
	}
}

// captured cuts the power when a capture was acknowledged, or when program has
// killed it. The next run of the hook brings what is not there.
func (p *powered) captured(after string, program ...string) {
	p.t.Helper()
	title, payload := p.session()
	again := func() {
		p.age()
		p.run(payload, "cortex", "hook", "stop")
		p.kept = append(p.kept, title)
	}
	words := append(program, "cortex", "hook", "stop")
	_, err := p.start(payload, words[0], words[1:]...)
	if len(program) == 0 {
		if failure(err) != nil {
			p.t.Fatal(err)
		}
		p.kept = append(p.kept, title)
	}
	p.cut(after, func(after string) {
		p.check(after)
		p.kept = slices.DeleteFunc(p.kept, func(t string) bool { return t == title })
		again()
		p.check("the run after " + after)
	})
	if len(program) > 0 {
		again()
	}
}

// landed cuts the power when a commit was made, by a git that syncs what it
// writes or, as is its default, does not; shim is a cortex that may be killed.
func (p *powered) landed(after, fsync, shim string) {
	p.t.Helper()
	title, payload := p.session()
	p.run(payload, "cortex", "hook", "stop")
	p.kept = append(p.kept, title)
	env := p.env
	if shim != "" {
		p.env = append(slices.Clone(env), "PATH="+shim+":"+os.Getenv("PATH"))
	}
	p.run("", "git", "config", "core.fsync", fsync)
	if out, err := p.start("", "git", "commit", "-q", "--allow-empty", "-m", "work"); failure(err) != nil {
		p.t.Fatalf("%s: %s %v", after, out, err)
	}
	p.env = env
	survived := p.holds
	if fsync == "all" {
		survived = func(after string) {
			p.check(after)
			p.age()
			p.unlock(after)
			p.landsAll(after)
		}
	}
	p.cut(after, survived)
}

// unlock removes what the power cut left of the user's own commit, as git says
// to: the locks it took are on the disk, and that it gave them back is not.
func (p *powered) unlock(after string) {
	p.t.Helper()
	for _, name := range []string{"HEAD.lock", "index.lock", "refs/heads/main.lock"} {
		if os.Remove(filepath.Join(p.dir, ".git", name)) == nil {
			p.t.Logf("after %s: git left %s", after, name)
		}
	}
}

// holds demands all memories of a repository in which git's own last commit may
// be lost, and that it takes in another one.
func (p *powered) holds(after string) {
	p.t.Helper()
	title, payload := p.session()
	if out, err := p.start(payload, "cortex", "hook", "stop"); failure(err) != nil || out != "" {
		p.t.Errorf("the hook after %s: %v, printed %q", after, err, out)
	}
	found := p.listed()
	for _, want := range append(p.kept, title) {
		if found[want] != 1 {
			p.t.Errorf("after %s: %q is there %d times", after, want, found[want])
		}
	}
}

// TestPowerCut cuts the power after each acknowledgement, and where a capture or
// a landing was just killed.
func TestPowerCut(t *testing.T) {
	fullOnly(t, "power cuts")
	t.Parallel()
	p := newPowered(t)
	p.captured("a capture")
	p.run("", "cortex", "search", "gauge") // makes caches
	p.captured("another capture")
	const note = "Notes are kept by people as well"
	p.run("", "cortex", "remember", "-q", note)
	p.kept = append(p.kept, note)
	p.cut("a note", func(after string) { p.check(after) })
	p.run("", "git", "-c", "core.fsync=all", "add", ".")
	p.landed("a landing", "all", "")
	p.killed()
	p.landed("a landing that git did not sync", "default", "")
	p.survive()
}

// killed cuts the power where strace has killed a capture or a landing.
func (p *powered) killed() {
	p.t.Helper()
	if exec.Command("strace", "-f", "-o", os.DevNull, "true").Run() != nil {
		return // the other half of the test stands
	}
	calls := map[string][]int{"fsync,fdatasync": {2}, "renameat,renameat2": {3}}
	if testrun.Nightly() {
		calls = map[string][]int{"fsync,fdatasync": counts()[:30], "renameat,renameat2": counts()[:20], "write": {1, 5, 10, 20, 30}}
	}
	for _, class := range slices.Sorted(maps.Keys(calls)) {
		for _, n := range calls[class] {
			program, log := p.strace(class, fmt.Sprintf("signal=SIGKILL:when=%d", n))
			p.captured(fmt.Sprintf("a kill of a capture at %s number %d", class, n), program...)
			if !hit(p.t, log, "killed by SIGKILL") {
				break
			}
			program, _ = p.strace(class, fmt.Sprintf("signal=SIGKILL:when=%d", n))
			p.landed(fmt.Sprintf("a kill of a landing at %s number %d", class, n), "all", p.shim(program))
		}
	}
}
