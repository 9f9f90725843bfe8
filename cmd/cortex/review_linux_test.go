package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/testrun"
)

// terminal is a pseudo-terminal with a program on it.
type terminal struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	cmd    *exec.Cmd
	output chan []byte
	seen   []byte // what the program wrote
	from   int    // of seen: what nobody has waited for yet
}

// newTerminal starts cortex on a terminal of so many columns and lines.
func (c *checkout) newTerminal(width, height uint16, args ...string) *terminal {
	c.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		c.t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	x := &terminal{t: c.t, master: master, output: make(chan []byte, 1024)}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		x.slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(x.slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: width, Row: height})
	}
	if err != nil {
		c.t.Skipf("there are no pseudo-terminals here: %v", err)
	}
	x.cmd = exec.Command("cortex", args...)
	x.cmd.Dir, x.cmd.Env = c.dir, append(c.env, "TERM=xterm")
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = x.slave, x.slave, x.slave
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	go func() {
		for {
			buf := make([]byte, 4096)
			n, err := master.Read(buf)
			if n > 0 {
				x.output <- buf[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	c.t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.slave.Close()
		_ = master.Close()
	})
	return x
}

// wait waits until the program has written text since the last wait.
func (x *terminal) wait(text string) {
	x.t.Helper()
	deadline := time.After(patience)
	for {
		if i := bytes.Index(x.seen[x.from:], []byte(text)); i >= 0 {
			x.from += i + len(text)
			return
		}
		select {
		case out := <-x.output:
			x.seen = append(x.seen, out...)
		case <-deadline:
			x.t.Fatalf("%q did not come:\n%q", text, x.seen[x.from:])
		}
	}
}

func (x *terminal) press(keys string) {
	x.t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		x.t.Fatal(err)
	}
}

// mode is how the terminal treats what is typed.
func (x *terminal) mode() unix.Termios {
	x.t.Helper()
	m, err := unix.IoctlGetTermios(int(x.slave.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	return *m
}

// ends waits for the program to end with a code, and sees that the terminal is
// as it was.
func (x *terminal) ends(code int, before unix.Termios) {
	x.t.Helper()
	x.wait("\x1b[?25h\x1b[?1049l")
	_ = x.cmd.Wait()
	if got := x.cmd.ProcessState.ExitCode(); got != code {
		x.t.Errorf("exit code %d, want %d:\n%q", got, code, x.seen)
	}
	if x.mode() != before {
		x.t.Error("the terminal is not as it was")
	}
}

// reviewable is a repository with pending memories that do not land by
// themselves.
func reviewable(t *testing.T, texts ...string) *checkout {
	t.Helper()
	c := landsByHand(t)
	c.run("", "git", "add", ".")
	c.run("", "git", "commit", "-q", "-m", "set up")
	for _, text := range texts {
		c.run("", "cortex", "remember", "-q", "--pending", text)
	}
	return c
}

// landsByHand is a repository in which nothing lands by itself.
func landsByHand(t *testing.T) *checkout {
	t.Helper()
	c := newCheckout(t)
	if err := setSetting(c.dir, "land", "manual"); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestReviewScreen: the whole screen of a review, on a narrow terminal and with
// a memory that tries to write to it.
func TestReviewScreen(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := reviewable(t,
		"The gauge answers twice. It says \x1b[2J\x1b]0;title\x07 and \u009b31m and \u202egnos, and then "+strings.Repeat("a long word and ", 40)+strings.Repeat("w", 90)+".",
		"The pump restarts at noon. It says \u202egnos.")
	c.env = append(c.env, `GIT_EDITOR=sed -i "s/noon/dawn/"`)
	x := c.newTerminal(50, 14, "review")
	x.wait("cortex review")
	before := x.mode()
	before.Iflag, before.Oflag, before.Lflag, before.Cflag, before.Cc = cooked(t)
	x.wait("more lines below: space")
	x.press(" ")
	x.wait("a long word")
	x.press("r")
	x.wait("Rejected ")
	x.press("u")
	x.wait("Undone: rejected")
	x.press("aaaa") // pasted: one decision at most
	x.wait("Accepted ")
	x.press("e")
	x.wait("Edited. ")
	x.press("\x1b[C") // nothing of ours
	x.wait("Edited. ")
	x.press("?")
	x.wait("accept: write it")
	x.press("\x03")
	x.ends(130, before)
	x.wait("1 accepted, 0 rejected, 1 edited, 1 memory left")
	if i := bytes.IndexAny(x.seen, "\x07\u009b\u202e"); i >= 0 || bytes.Contains(x.seen, []byte("\x1b[2J")) || bytes.Contains(x.seen, []byte("\x1b]")) {
		t.Errorf("a memory wrote to the terminal: %q", x.seen)
	}
	drawn, _, _ := strings.Cut(string(x.seen), "\x1b[?25h")
	for _, frame := range strings.Split(drawn, "\x1b[H")[1:] {
		for line := range strings.SplitSeq(frame, "\r\n") {
			line, _, _ = strings.Cut(line, "\x1b[K")
			for _, code := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[33m"} {
				line = strings.ReplaceAll(line, code, "")
			}
			if console.Columns(line) > 50 {
				t.Errorf("%d columns: %q", console.Columns(line), line)
			}
		}
	}
	if staged := strings.Count(c.run("", "git", "diff", "--cached", "--name-only"), "memories/"); staged != 1 {
		t.Errorf("%d memories are staged", staged)
	}
	if titles := c.titles(); len(titles) != 1 || titles[0] != "The pump restarts at dawn" {
		t.Errorf("pending: %v", titles)
	}
}

// cooked are the modes of a new terminal.
func cooked(t *testing.T) (iflag, oflag, lflag, cflag uint32, cc [19]uint8) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	m, err := unix.IoctlGetTermios(int(master.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return m.Iflag, m.Oflag, m.Lflag, m.Cflag, m.Cc
}

// TestKilledReview kills a review, or a git it has started, in the middle of
// its decisions: each is made or not made, and making it again is all there is
// to do.
func TestKilledReview(t *testing.T) {
	fullOnly(t, "kills")
	t.Parallel()
	needStrace(t)
	v := newVictim(t, landsByHand(t))
	moments := momentsOf([]string{"linkat", "renameat,renameat2", "fsync,fdatasync"}, 1, 3)
	if testrun.Nightly() {
		moments = allMoments()
	}
	meet(t, moments, func(m moment) bool {
		program, log := v.strace(m.calls, fmt.Sprintf("signal=SIGKILL:when=%d", m.n))
		v.reviews("a kill at "+m.String(), program)
		return hit(t, log, "killed by SIGKILL")
	})
	v.run("", "git", "commit", "-q", "-m", "reviewed")
	v.check("all kills")
	if dirty := v.run("", "git", "status", "--porcelain", "-uall"); dirty != "" {
		t.Errorf("the tree is not clean:\n%s", dirty)
	}
}

// reviews rejects one memory and accepts another through program, and then
// does what is left of that without.
func (v *victim) reviews(fault string, program []string) {
	v.t.Helper()
	var ids []string
	for range 2 {
		title, payload := v.session()
		v.run(payload, "cortex", "hook", "stop")
		v.kept = append(v.kept, title)
		ids = append(ids, v.pendingID(title))
	}
	v.kept = v.kept[:len(v.kept)-1]
	words := append(program, "cortex", "review", "--accept", ids[0], "--reject", ids[1])
	_, _ = v.start("", words[0], words[1:]...)
	v.check(fault)
	v.age()
	var left struct{ Memories []struct{ ID string } }
	if err := json.Unmarshal([]byte(v.run("", "cortex", "review", "--json")), &left); err != nil {
		v.t.Fatal(err)
	}
	again := []string{"review", "-q"}
	for _, m := range left.Memories {
		if flag := map[string]string{ids[0]: "--accept", ids[1]: "--reject"}[m.ID]; flag != "" {
			again = append(again, flag, m.ID)
		}
	}
	if len(again) > 2 {
		v.run("", "cortex", again...)
	}
	found := v.check("the review after " + fault)
	if len(found) != len(v.kept) {
		v.t.Errorf("after %s %d memories are there, want %d", fault, len(found), len(v.kept))
	}
	v.run("", "git", "cat-file", "-e", "refs/cortex/journal:dismissed/"+ids[1])
	v.run("", "git", "diff", "--cached", "--exit-code", "--quiet", "--", "main.go")
}

func (v *victim) pendingID(title string) string {
	v.t.Helper()
	var list struct{ Memories []struct{ ID, Title string } }
	if err := json.Unmarshal([]byte(v.run("", "cortex", "list", "--stage", "pending", "--json")), &list); err != nil {
		v.t.Fatal(err)
	}
	for _, m := range list.Memories {
		if m.Title == title {
			return m.ID
		}
	}
	v.t.Fatalf("%q is not pending", title)
	return ""
}
