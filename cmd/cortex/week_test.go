package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/testrun"
)

// week is a team's week in one clone: sessions of an agent on feature branches,
// through the real hooks, with all that becomes of commits and of branches.
type week struct {
	*checkout
	folder  string          // of the transcripts
	n       int             // of the session at hand
	commits []int           // memory files of each commit that is no merge
	shares  []string        // of each pull request, in words
	kept    []string        // titles that were said to be kept, and did not go with the code of a branch
	left    map[string]bool // the branches that were abandoned
	brought []int           // memory files of each pull request
	others  int             // other files there
	taught  int             // of the memory files, those learned on their branch, or about its files
}

// TestWeek plays such a week and looks at what a reviewer, a teammate and the next
// session get of it.
func TestWeek(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	branches := 4 // one that is merged, one squashed, one kept and one abandoned
	if testrun.Full() {
		branches = 19
	}
	w := &week{checkout: newCheckout(t), folder: t.TempDir(), left: map[string]bool{}}
	w.env = slices.DeleteFunc(slices.Clone(w.env), func(v string) bool { return strings.Contains(v, "_DATE=") })
	w.git("add", ".")
	w.git("commit", "-q", "-m", "set up")
	for i := range branches {
		w.branch(i)
	}
	w.git("switch", "-q", "-c", "feat/next")
	brief := w.hook("session-start", "next", "")
	w.git("commit", "-q", "--allow-empty", "-m", "begin")
	w.judge(branches, brief)
	w.propose()
}

// branch is the life of one feature branch.
func (w *week) branch(i int) {
	name := fmt.Sprintf("feat/%02d", i)
	if i%4 == 3 {
		w.session("main", false) // what is begun before there is a branch
	}
	w.git("switch", "-q", "-c", name)
	end := []string{"merge", "squash", "kept", "abandon", "forward", "squash-late", "merge-gone"}[i%7]
	before := len(w.kept)
	files := []int{1, 2, 3, 4, 6, 4, 12}[i%7] // with the first half of its work, and so many with the second
	w.session(name, true)
	w.work(name, i%3, files)
	if end == "abandon" {
		w.kept, w.left[name] = w.kept[:before], true
	}
	w.session(name, true)
	if end != "abandon" { // what lands in a branch goes with it
		w.work(name, (i+1)%3, 2*files)
		w.review(name)
	}
	w.git("switch", "-q", "main")
	switch end {
	case "merge", "kept", "merge-gone":
		w.git("merge", "-q", "--no-ff", "--no-edit", name)
	case "forward":
		w.git("merge", "-q", "--no-edit", name)
	case "squash", "squash-late":
		w.git("merge", "-q", "--squash", name)
		w.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", name+" (#1)") // as a host does it
		if end == "squash-late" {
			w.write(name, "main goes on", 1)
			w.git("commit", "-q", "-a", "-m", "main goes on")
		}
	}
	if end != "kept" {
		w.git("branch", "-q", "-D", name)
	}
}

// session is one session of the agent: an answer of the user, two tags, and talk.
func (w *week) session(branch string, code bool) {
	w.n++
	id := fmt.Sprintf("week-%03d", w.n)
	what := fmt.Sprintf("%s %d", []string{"gauge", "valve", "pump", "sluice", "relay", "meter", "boiler"}[w.n%7], 100+7*w.n)
	tr := newTranscript(id, w.dir)
	tr.User("Let us finish the " + what + ". What is missing?")
	tr.Agent("I looked at it. The driver of the " + what + " is the part that is open.")
	tr.Ask("Driver", "How should the "+what+" be read?", "Poll: simple, a read every second; Interrupt: needs a new board", "Poll")
	title := fmt.Sprintf("Calibrate the %s at %d degrees before the first read", what, 10+w.n)
	trap := fmt.Sprintf("The %s drops frame %d when its lid is open", what, 3000+w.n)
	tr.Agent("It polls now, and the tests pass.\n\n[MEMORY: decision] " + title + ".\n[MEMORY: gotcha] " + trap + ".")
	if code {
		tr.Create("src/"+filepath.Base(branch)+".go", "package x\n")
	}
	path := filepath.Join(w.folder, id+".jsonl")
	if err := os.WriteFile(path, tr.Bytes(), 0o666); err != nil {
		w.t.Fatal(err)
	}
	w.hook("stop", id, path)
	w.kept = append(w.kept, title, trap)
}

// hook runs a hook as the agent does.
func (w *week) hook(event, session, transcript string) string {
	payload, _ := json.Marshal(map[string]string{"session_id": session, "cwd": w.dir, "transcript_path": transcript, "source": "startup"})
	cmd := exec.Command("cortex", "hook", event)
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, w.env, strings.NewReader(string(payload))
	out, err := cmd.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return string(out)
}

// work commits code: at once, after a linter refused it, or with an amend behind it.
func (w *week) work(branch string, how, files int) {
	w.write(branch, fmt.Sprint("session ", w.n), files)
	w.git("add", "src")
	refusing := filepath.Join(w.dir, ".git", "hooks", "commit-msg")
	if how == 1 {
		if err := os.WriteFile(refusing, []byte("#!/bin/sh\nexit 1\n"), 0o777); err != nil {
			w.t.Fatal(err)
		}
		for range 3 {
			if _, err := w.try("commit", "-q", "-m", "work"); err == nil {
				w.t.Fatal("the linter let it pass")
			}
		}
		if err := os.Remove(refusing); err != nil {
			w.t.Fatal(err)
		}
	}
	w.git("commit", "-q", "-m", "work on "+branch)
	if how == 2 {
		for range 2 {
			w.git("commit", "-q", "--amend", "--no-edit")
		}
	}
	w.commits = append(w.commits, len(w.memories("HEAD^..HEAD")))
}

// review counts the memories among the files that a reviewer of the branch sees, and those of them that
// were learned on it or are about its files, and fails if there are more than six.
func (w *week) review(branch string) {
	files := w.memories("main..." + branch)
	for _, file := range files {
		text := w.git("show", branch+":"+file)
		if strings.Contains(text, "branch: "+branch) || strings.Contains(text, "src/"+filepath.Base(branch)) {
			w.taught++
		}
	}
	all := len(strings.Fields(w.git("diff", "--name-only", "main..."+branch)))
	w.brought, w.others = append(w.brought, len(files)), w.others+all-len(files)
	w.shares = append(w.shares, fmt.Sprintf("%d/%d", len(files), all))
	if len(files) > 6 {
		w.t.Errorf("%s brings %d memories", branch, len(files))
	}
}

func (w *week) memories(span string) []string {
	return strings.Fields(w.git("diff", "--name-only", "--diff-filter=A", span, "--", ".cortex/memories"))
}

// judge asserts what the week comes to, and prints the figures.
func (w *week) judge(branches int, brief string) {
	var status struct {
		Pending, Landed int
		Stray           int `json:"pending_stray"`
	}
	w.decode(&status, "status", "--json")
	var list struct {
		Memories []struct{ Title, Stage, Branch string }
	}
	w.decode(&list, "list", "--json", "--all-branches")
	titles, offered, stranded := map[string]int{}, 0, 0
	for _, m := range list.Memories {
		titles[m.Title]++
		switch gone := m.Stage == "pending" && w.gone(m.Branch); {
		case gone && w.left[m.Branch]:
			offered++
		case gone:
			stranded++
		}
	}
	for _, title := range w.kept {
		if titles[title] != 1 {
			w.t.Errorf("%q is there %d times", title, titles[title])
		}
	}
	if offered < 3*len(w.left) || status.Stray != offered {
		w.t.Errorf("%d memories of abandoned branches are there and %d offered, want the same number, %d at least", offered, status.Stray, 3*len(w.left))
	}
	if stranded > 0 {
		w.t.Errorf("%d memories are stranded on merged branches", stranded)
	}
	w.judgeReviews()
	slices.Sort(w.commits)
	if most := w.commits[len(w.commits)-1]; most > 3 {
		w.t.Errorf("a commit brings %d memories", most)
	}
	counted := fmt.Sprintf("Project memory: %d memories", status.Landed+status.Pending)
	if !strings.Contains(brief, "additionalContext") || !strings.Contains(brief, counted) || strings.Count(brief, "\\n- ") < 2 {
		w.t.Errorf("the briefing of a new branch is %q", brief)
	}
	w.t.Logf("%d sessions, %d branches: memory files per commit median %d, maximum %d; stranded %d; offered from abandoned branches %d; landed %d, pending %d; briefing of a new branch %d lines, %d bytes",
		w.n, branches, w.commits[len(w.commits)/2], w.commits[len(w.commits)-1], stranded, offered, status.Landed, status.Pending, strings.Count(brief, "\\n- "), len(brief))
}

// judgeReviews asserts what reviewers see of memory.
func (w *week) judgeReviews() {
	landed := 0
	for _, n := range w.brought {
		landed += n
	}
	slices.Sort(w.brought)
	share, median := float64(landed)/float64(landed+w.others), w.brought[len(w.brought)/2]
	if own := float64(w.taught) / float64(landed); own < .9 || share > .25 || median > 2 || median == 0 {
		w.t.Errorf("of %d memory files in pull requests %d were learned on their branch or are about its files; the share of memory is %.2f, the median %d", landed, w.taught, share, median)
	}
	w.t.Logf("%d of %d memory files in %d pull requests learned on their branch or about its files; beside %d other files, a share of %.2f; median %d (%s)",
		w.taught, landed, len(w.brought), w.others, share, median, strings.Join(w.shares, " "))
}

// propose merges proposals until there is none, and asserts that all of the week has landed then.
func (w *week) propose() {
	w.git("switch", "-q", "main")
	sizes := []int{}
	for {
		var made struct {
			Branch   string
			Memories []struct{ Title string }
		}
		w.decode(&made, "propose", "--json")
		if made.Branch == "" {
			break
		}
		sizes = append(sizes, len(made.Memories))
		w.git("merge", "-q", "--no-edit", made.Branch)
	}
	var list struct {
		Memories []struct{ Title, Type, Stage, Branch string }
	}
	w.decode(&list, "list", "--json", "--all-branches")
	landed := map[string]bool{}
	for _, m := range list.Memories { // a decision about code that was abandoned is not proposed
		landed[m.Title] = m.Stage == "landed" || w.left[m.Branch] && m.Type == "decision"
	}
	for _, title := range w.kept {
		if !landed[title] {
			w.t.Errorf("%q never lands", title)
		}
	}
	if len(sizes) == 0 || slices.Max(sizes) > 20 {
		w.t.Errorf("proposals of %v memories", sizes)
	}
	w.t.Logf("proposals of %v memories, after which all has landed that does not go with abandoned code", sizes)
}

// gone reports whether there is no such branch.
func (w *week) gone(branch string) bool {
	_, err := w.try("rev-parse", "-q", "--verify", "refs/heads/"+branch)
	return err != nil
}

func (w *week) decode(into any, args ...string) {
	cmd := exec.Command("cortex", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		w.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// write changes the code of a branch: its test, and so many other files.
func (w *week) write(branch, text string, files int) {
	names := []string{filepath.Base(branch) + "_test", filepath.Base(branch)}
	for i := 1; i < files; i++ {
		names = append(names, fmt.Sprintf("%s_%d", filepath.Base(branch), i))
	}
	for _, name := range names {
		path := filepath.Join(w.dir, "src", name+".go")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("package src\n// "+text+"\n"), 0o666); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *week) git(args ...string) string {
	out, err := w.try(args...)
	if err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

// try runs git, whose hooks may say what they did.
func (w *week) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.Output()
	return string(out), err
}
