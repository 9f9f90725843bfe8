package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
)

// soak is three clones of one remote, to which people, agents and faults happen in
// random order, and a ledger of what cortex has acknowledged.
type soak struct {
	t      *testing.T
	rnd    *rand.Rand
	disk   *disk
	clones []*soaked
	n      int              // numbers of memories
	ledger map[string]*fact // by title
	met    map[string]int   // what happened, how often
	log    []string
}

// fact is one line of the ledger.
type fact struct {
	by      string // which clone acknowledged it
	removed bool   // a person removed it: it may be anywhere or nowhere
}

// soaked is one of the clones.
type soaked struct {
	*victim
	name            string
	env0            []string          // with the clock right
	open            map[string]string // titles of sessions that no hook acknowledged yet, and their payloads
	branches, files int
}

// TestSoak works in three clones at once, with processes that are killed, a disk
// that is full, a clock that jumps, and gc between. Then every disk and clock is
// right again, what was killed is captured by the next hook, the clones exchange
// what they have, and each holds exactly what was acknowledged and not removed by a
// person. CORTEX_SOAK says for how long (30m); without it a full run takes
// sixty steps. CORTEX_SEED repeats a run.
func TestSoak(t *testing.T) {
	if os.Getenv("CORTEX_SOAK") == "" {
		fullOnly(t, "a soak of random work")
	}
	skipUnderRace(t)
	t.Parallel()
	needStrace(t)
	steps, end := 60, time.Time{}
	seed := uint64(1)
	if testrun.Nightly() {
		steps, seed = 2000, rand.Uint64()
	}
	if text := os.Getenv("CORTEX_SOAK"); text != "" {
		long, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		steps, end, seed = 1<<30, time.Now().Add(long), rand.Uint64()
	}
	if s := os.Getenv("CORTEX_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("CORTEX_SEED=%d", seed)
	s := newSoak(t, rand.New(rand.NewPCG(seed, 0)))
	for i := 0; i < steps && (end.IsZero() || time.Now().Before(end)) && !t.Failed(); i++ {
		s.step()
		if i%200 == 199 {
			s.settle()
		}
	}
	s.settle()
	kept, removed := 0, 0
	for _, f := range s.ledger {
		if kept++; f.removed {
			removed++
		}
	}
	t.Logf("%d acknowledged, %d of them removed by a person; %v", kept, removed, s.met)
}

func newSoak(t *testing.T, rnd *rand.Rand) *soak {
	s := &soak{t: t, rnd: rnd, disk: newDisk(t, "size=512m"), ledger: map[string]*fact{}, met: map[string]int{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("history:\n%s", strings.Join(s.log[max(0, len(s.log)-400):], "\n"))
			for _, c := range s.clones { // a hook that gave up has ended well all the same
				said, _ := os.ReadFile(filepath.Join(c.dir, ".git", "cortex", "log"))
				t.Logf("%s's log:\n%s", c.name, said)
			}
		}
	})
	hub := filepath.Join(s.disk.root, "hub.git")
	for i, name := range []string{"ada", "bob", "cy"} {
		dir := filepath.Join(s.disk.root, name)
		c := &soaked{victim: &victim{checkout: newCheckoutAt(t, dir), transcripts: t.TempDir()}, name: name, open: map[string]string{}}
		c.env0 = c.env
		if i == 0 {
			c.run("", "git", "add", ".")
			c.run("", "git", "commit", "-q", "-m", "set up")
			c.run("", "git", "clone", "-q", "--bare", ".", hub)
		}
		c.run("", "git", "remote", "add", "origin", hub)
		c.run("", "git", "fetch", "-q")
		c.run("", "git", "reset", "-q", "--hard", "origin/main")
		s.clones = append(s.clones, c)
	}
	return s
}

func (s *soak) note(c *soaked, format string, args ...any) {
	s.log = append(s.log, c.name+": "+fmt.Sprintf(format, args...))
}

// step has one thing happen in one clone.
func (s *soak) step() {
	c := s.clones[s.rnd.IntN(len(s.clones))]
	type thing struct {
		name  string
		often int
		do    func(*soaked)
	}
	things := []thing{
		{"note", 4, s.remember},
		{"capture", 6, s.capture},
		{"killed", 5, s.killed},
		{"full disk", 2, s.full},
		{"clock", 1, s.clock},
		{"commit", 6, s.commit},
		{"killed commit", 2, s.killedCommit},
		{"branch", 2, s.branch},
		{"join", 2, s.join},
		{"exchange", 3, s.exchange},
		{"killed sync", 1, s.killedSync},
		{"remove", 1, s.remove},
		{"maintenance", 1, s.maintain},
		{"expiry", 1, s.expire},
	}
	all := 0
	for _, t := range things {
		all += t.often
	}
	at := s.rnd.IntN(all)
	for _, t := range things {
		if at -= t.often; at < 0 {
			s.met[t.name]++
			t.do(c)
			return
		}
	}
}

// title is of a memory that is like no other.
func (s *soak) title(what string) string {
	s.n++
	return fmt.Sprintf("%s %04d is read from register %d", what, s.n, 10000+s.n)
}

func (s *soak) acknowledge(c *soaked, title string) {
	s.note(c, "acknowledged %s", title)
	s.ledger[title] = &fact{by: c.name}
}

// remember has a person write a memory down: it counts if cortex says so.
func (s *soak) remember(c *soaked) { s.rememberBy(c) }

func (s *soak) rememberBy(c *soaked, program ...string) {
	title := s.title("Gauge")
	words := append(program, "cortex", "remember", "--json")
	if s.rnd.IntN(2) == 0 {
		words = append(words, "--pending")
	}
	out, err := c.start("", words[0], append(words[1:], title)...)
	var got struct{ ID string }
	if failure(err) == nil && json.Unmarshal([]byte(out), &got) == nil && got.ID != "" {
		s.acknowledge(c, title)
		return
	}
	s.note(c, "not acknowledged %s: %v", title, err)
	if len(program) == 0 {
		s.t.Errorf("%s: remember: %v", c.name, err)
	}
}

// session is a new transcript; what is in it counts once a hook has done its work.
func (s *soak) session(c *soaked) (title, payload string) {
	title = s.title("Pump")
	id := fmt.Sprintf("soak-%05d", s.n)
	t := newTranscript(id, c.dir)
	t.User("Which register is it?")
	t.Agent("Done.\n\n[MEMORY: decision] " + title)
	path := filepath.Join(c.transcripts, id+".jsonl")
	if err := os.WriteFile(path, t.Bytes(), 0o666); err != nil {
		s.t.Fatal(err)
	}
	data, err := json.Marshal(map[string]string{"hook_event_name": "Stop", "session_id": id, "cwd": c.dir, "transcript_path": path})
	if err != nil {
		s.t.Fatal(err)
	}
	return title, string(data)
}

func (s *soak) capture(c *soaked) {
	title, payload := s.session(c)
	c.age()
	s.stop(c, title, payload)
}

// stop runs the hook of a session, and nothing gets into its way. What is in the session
// is acknowledged if the heartbeat says that the hook did its work: one that gave up, as
// on a busy machine, ends well too, and a later one reads the session.
func (s *soak) stop(c *soaked, title, payload string) {
	before, start := c.beat(), time.Now()
	c.run(payload, "cortex", "hook", "stop")
	took, now := time.Since(start), c.beat()
	if now.N != before.N && now.Error == "" {
		s.acknowledge(c, title)
		delete(c.open, title)
		return
	}
	s.note(c, "not acknowledged %s: the hook took %s: %s", title, took, cmp.Or(now.Error, "no heartbeat"))
	if took < payloadWait { // the shortest of its limits
		s.t.Errorf("%s: the hook gave up after %s: %s", c.name, took, cmp.Or(now.Error, "no heartbeat"))
	}
	c.open[title] = payload
	s.met["gave up"]++
}

// heartbeat holds how the last run of a hook went, see diary.Beat.
type heartbeat struct {
	N     int64
	Error string
}

func (c *soaked) beat() heartbeat {
	all := map[string]heartbeat{}
	data, err := os.ReadFile(filepath.Join(c.dir, ".git", "cortex", "heartbeat.json"))
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.t.Fatal(err)
	}
	return all["stop"]
}

// moment is a random call at which a process is killed.
func (s *soak) moment() (program []string, c moment) {
	m := moment{pickOne(s.rnd, syscallClasses()), 1 + s.rnd.IntN(12)}
	return []string{"strace", "-f", "-o", os.DevNull, "-e", "trace=" + m.calls, "-e", fmt.Sprintf("inject=%s:signal=SIGKILL:when=%d", m.calls, m.n)}, m
}

// killed kills a hook or a command. A session that a hook was killed at is read by
// a later hook, as it would be when the agent goes on.
func (s *soak) killed(c *soaked) {
	program, m := s.moment()
	s.note(c, "a kill at %s", m)
	if s.rnd.IntN(3) == 0 {
		s.rememberBy(c, program...)
		return
	}
	title, payload := s.session(c)
	_, _ = c.start(payload, program[0], append(program[1:], "cortex", "hook", "stop")...)
	c.open[title] = payload
	if s.rnd.IntN(2) == 0 {
		s.readAgain(c)
	}
}

func (s *soak) readAgain(c *soaked) {
	c.age()
	for _, title := range slices.Sorted(maps.Keys(c.open)) {
		s.stop(c, title, c.open[title])
	}
}

func (s *soak) full(c *soaked) {
	free := int64(s.rnd.IntN(80)) << 10
	s.note(c, "a disk with %d bytes free", free)
	s.disk.fill(free)
	title, payload := s.session(c)
	if _, err := c.start(payload, "cortex", "hook", "stop"); failure(err) != nil {
		s.t.Errorf("%s: the hook on a full disk: %v", c.name, err)
	}
	s.rememberBy(c, "env")
	s.disk.empty()
	c.open[title] = payload
}

// clock sets the clock of a clone wrong, or right again.
func (s *soak) clock(c *soaked) {
	by := pickOne(s.rnd, []time.Duration{0, 0, time.Hour, -time.Hour, 26 * time.Hour, -40 * 24 * time.Hour, tenYears, -tenYears})
	s.note(c, "the clock is %s off", by)
	c.env = c.env0
	if by != 0 {
		c.env = wrong(c.env0, by)
	}
}

func (s *soak) commit(c *soaked) { s.commitBy(c, "") }

func (s *soak) commitBy(c *soaked, shim string) {
	c.files++
	name := filepath.Join(c.dir, "src", fmt.Sprintf("%s-%d.txt", c.name, c.files))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte("new\n"), 0o666); err != nil {
		s.t.Fatal(err)
	}
	s.git(c, "add", "-A")
	env := c.env
	if shim != "" {
		c.env = append(slices.Clone(env), "PATH="+shim+":"+os.Getenv("PATH"))
	}
	_, err := c.start("", "git", "commit", "-q", "-m", "work")
	c.env = env
	if failure(err) != nil && shim == "" {
		s.t.Errorf("%s: git commit: %v", c.name, err)
	}
}

// killedCommit kills the hooks of a commit. Git's index may stay locked then: the
// agent's next hook takes the lock away.
func (s *soak) killedCommit(c *soaked) {
	program, m := s.moment()
	s.note(c, "a commit whose hooks are killed at %s", m)
	s.commitBy(c, c.shim(program))
	s.capture(c)
}

func (s *soak) git(c *soaked, args ...string) {
	s.t.Helper()
	s.note(c, "git %s", strings.Join(args, " "))
	out, err := c.start("", "git", args...)
	if failure(err) == nil {
		return
	}
	said := err.Error()
	if left := leftInTree(said); len(left) > 0 {
		// Git took a memory that one side removed for the old name of one that the other side
		// added: a person keeps what git left in the tree, which is the one that was added.
		s.met["additions taken for renames"]++
		s.git(c, append([]string{"add", "--"}, left...)...)
		if !slices.Contains(args, "--squash") {
			s.git(c, "commit", "-q", "--no-edit")
		}
		return
	}
	if !strings.Contains(said, "two different memories met in one file") {
		s.t.Fatalf("%s: %s%v", c.name, out, err)
	}
	// Git took two memories for versions of one: a person types what the driver says.
	s.met["memories paired by git"]++
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		command, typed := strings.CutPrefix(line, "hint: keep both: ")
		if after, ok := strings.CutPrefix(line, "hint: then: "); ok {
			command, _, typed = strings.Cut(after, ", and see: ")
		}
		if typed {
			s.note(c, "%s", command)
			c.run("", "sh", "-e", "-c", command)
		}
	}
	if !slices.Contains(args, "--squash") {
		s.git(c, "commit", "-q", "--no-edit")
	}
}

// leftInTree are the files that git left in the tree because one side renamed them, as it
// thinks, and the other removed them under the old name.
func leftInTree(said string) []string {
	if !strings.Contains(said, "CONFLICT (rename/delete)") {
		return nil
	}
	var out []string
	for line := range strings.Lines(said) {
		rest, found := strings.CutPrefix(strings.TrimSpace(line), "CONFLICT (modify/delete): ")
		if path, _, ok := strings.Cut(rest, " deleted in "); found && ok && !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// branch begins one, with what is not committed yet.
func (s *soak) branch(c *soaked) {
	c.branches++
	s.git(c, "switch", "-q", "-c", fmt.Sprintf("%s/%d", c.name, c.branches))
}

// join brings every branch of the clone home to main, and deletes it.
func (s *soak) join(c *soaked) {
	s.commit(c)
	s.git(c, "switch", "-q", "main")
	out := c.run("", "git", "for-each-ref", "--format=%(refname:short)", "refs/heads")
	for branch := range strings.FieldsSeq(out) {
		if branch == "main" {
			continue
		}
		if s.rnd.IntN(2) == 0 {
			s.git(c, "merge", "-q", "--no-edit", branch)
		} else {
			s.git(c, "merge", "-q", "--squash", branch)
			s.git(c, "commit", "-q", "--allow-empty", "-m", "squashed "+branch)
		}
		s.git(c, "branch", "-q", "-D", branch)
	}
}

// exchange meets the others, by git and by cortex.
func (s *soak) exchange(c *soaked) {
	s.join(c)
	s.git(c, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
	s.git(c, "push", "-q", "origin", "main")
	s.sync(c)
}

func (s *soak) sync(c *soaked) {
	c.age()
	if _, err := c.start("", "cortex", "sync", "-q", "--yes", "--accept-removals"); failure(err) != nil {
		s.t.Errorf("%s: sync: %v", c.name, err)
	}
}

func (s *soak) killedSync(c *soaked) {
	program, m := s.moment()
	s.note(c, "a sync killed at %s", m)
	_, _ = c.start("", program[0], append(program[1:], "cortex", "sync", "-q", "--yes", "--accept-removals")...)
	for _, dir := range []string{filepath.Join(c.dir, ".git"), filepath.Join(s.disk.root, "hub.git")} {
		// Git itself leaves locks when it is killed, and says who is to remove them.
		for _, refs := range []string{"refs/cortex", "refs/cortex-remotes/origin"} {
			locks, _ := filepath.Glob(filepath.Join(dir, refs, "*.lock"))
			for _, lock := range locks {
				if err := os.Remove(lock); err != nil {
					s.t.Fatal(err)
				}
			}
		}
	}
}

// remove has a person forget a memory that this clone sees.
func (s *soak) remove(c *soaked) {
	listed := s.listed(c)
	titles := slices.Sorted(maps.Keys(listed))
	titles = slices.DeleteFunc(titles, func(title string) bool { return s.ledger[title] == nil })
	if len(titles) == 0 {
		return
	}
	title := pickOne(s.rnd, titles)
	s.ledger[title].removed = true
	s.note(c, "removes %s", title)
	if _, err := c.start("", "cortex", "forget", "-q", listed[title][0]); failure(err) != nil {
		s.t.Errorf("%s: forget: %v", c.name, err)
	}
}

func (s *soak) maintain(c *soaked) {
	s.git(c, pickOne(s.rnd, [][]string{{"gc", "-q", "--prune=now"}, {"repack", "-a", "-d", "-q"}, {"pack-refs", "--all"}})...)
}

// expire has a person empty every log of git, that of the journal too, and prune what no
// ref names, as one does who takes a large file out of a history; at times while somebody
// remembers something.
func (s *soak) expire(c *soaked) {
	s.git(c, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
	switch s.rnd.IntN(3) {
	case 0:
		s.git(c, "gc", "-q", "--prune=now")
	case 1:
		ended := make(chan error, 1)
		s.note(c, "git gc --prune=now, and a note meanwhile")
		go func() {
			_, err := c.start("", "git", "gc", "-q", "--prune=now")
			ended <- err
		}()
		s.remember(c)
		if err := <-ended; failure(err) != nil {
			s.note(c, "that gc: %v", err)
		}
	}
	s.git(c, "reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
}

// listed are the ids of all memories of a clone by title, for whatever branch.
func (s *soak) listed(c *soaked) map[string][]string {
	s.t.Helper()
	out, err := c.start("", "cortex", "list", "--json", "--all-branches")
	var list struct {
		Memories []struct{ ID, Title string }
		Problems []any
	}
	if failure(err) != nil || json.Unmarshal([]byte(out), &list) != nil || len(list.Problems) > 0 {
		s.t.Fatalf("%s: list: %v, %v", c.name, err, list.Problems)
	}
	found := map[string][]string{}
	for _, m := range list.Memories {
		found[m.Title] = append(found[m.Title], m.ID)
	}
	return found
}

// settle makes everything right again, has the clones exchange what they hold, and
// compares each with the ledger.
func (s *soak) settle() {
	s.t.Helper()
	for _, c := range s.clones {
		c.env = c.env0
		for tries := 0; len(c.open) > 0; tries++ {
			if tries == 5 {
				s.t.Fatalf("%s: no hook reads %v", c.name, slices.Sorted(maps.Keys(c.open)))
			}
			s.readAgain(c)
		}
	}
	for range 2 {
		for _, c := range s.clones {
			s.exchange(c)
		}
	}
	for _, c := range s.clones {
		s.sync(c)
	}
	// What landed in the last exchange of one clone left the journal of the others:
	// it reaches them with a pull.
	for _, c := range s.clones {
		s.git(c, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
	}
	for _, c := range s.clones {
		if out, err := c.start("", "git", "-c", "core.commitGraph=false", "fsck", "--strict", "--no-dangling", "--no-progress"); failure(err) != nil {
			s.t.Errorf("%s: %s%v", c.name, out, err)
		}
		found := s.listed(c)
		for title, f := range s.ledger {
			if n := len(found[title]); !f.removed && n != 1 {
				s.t.Errorf("%s has %q, which %s acknowledged, %d times", c.name, title, f.by, n)
			}
		}
	}
}
