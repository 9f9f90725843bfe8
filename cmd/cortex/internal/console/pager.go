package console

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
)

// shellCharacters are those of a command for which git asks a shell. One without them is
// started as it stands, so that a program which is not there is known before anything is
// written to it.
const shellCharacters = "|&;<>()$`\\\"'*?[#~=%"

// keeps is how much output is kept in case the pager fails: more than a pipe holds, which
// is all that one can have taken that fails before it reads.
const keeps = 128 << 10

// Pager is a running program that shows what is written to it.
type Pager struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.Writer
	kept []byte // what was written to it; nil if that is too much
	gone bool   // it reads no more
	bare bool   // it failed: what follows is shown without it
}

// StartPager runs the pager that GIT_PAGER or PAGER names in the environment, or less. What a
// repository's own configuration names is not run. It returns nil if there is none: the
// variable is empty or cat, the terminal is dumb, or the program cannot be started.
func StartPager(environ []string, out, errors io.Writer) *Pager {
	name := pagerOf(environ)
	words := strings.Fields(name)
	if term, _ := environValue(environ, "TERM"); len(words) == 0 || term == "dumb" {
		return nil
	}
	p := &Pager{cmd: exec.Command(words[0], words[1:]...), out: out, kept: []byte{}}
	if runtime.GOOS != "windows" && strings.ContainsAny(name, shellCharacters) {
		p.cmd = exec.Command("sh", "-c", name)
	}
	for _, preset := range []string{"LESS=FRX", "LV=-c"} { // those of git
		if key, _, _ := strings.Cut(preset, "="); !has(environ, key) {
			environ = append(environ[:len(environ):len(environ)], preset)
		}
	}
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = environ, out, errors
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil
	}
	if err := p.cmd.Start(); err != nil {
		return nil
	}
	return p
}

// pagerOf is the command of the pager that the environment names; "" for none.
func pagerOf(environ []string) string {
	for _, key := range []string{"GIT_PAGER", "PAGER"} {
		name, chosen := environValue(environ, key)
		if name == "cat" {
			return ""
		}
		if chosen {
			return name
		}
	}
	return "less"
}

// Write hands data to the pager, or shows it without one that failed. What a person left
// is dropped.
func (p *Pager) Write(data []byte) (int, error) {
	if p.bare {
		return p.out.Write(data)
	}
	if p.gone {
		return len(data), nil
	}
	if p.kept != nil {
		p.kept = append(p.kept, data...)
	}
	if _, err := p.in.Write(data); err != nil {
		return len(data), p.end()
	}
	if len(p.kept) > keeps {
		p.kept = nil // the pager has read some of it
	}
	return len(data), nil
}

// Close waits until the person has left the pager.
func (p *Pager) Close() error {
	if p.gone {
		return nil
	}
	return p.end()
}

// end waits for the pager. If it failed, what was written to it is shown without it: it
// cannot be known how much of that a person has seen. A pager that a signal ended was left.
func (p *Pager) end() error {
	p.gone = true
	_ = p.in.Close()
	err := p.cmd.Wait()
	state := p.cmd.ProcessState
	if err == nil || state == nil || p.kept == nil || state.ExitCode() <= 0 {
		return nil
	}
	p.bare = true
	if _, err := p.out.Write(p.kept); err != nil {
		return fmt.Errorf("writing what the pager did not show: %w", err)
	}
	p.kept = nil
	return nil
}

// environValue is that of a variable, the last one that an environment has.
func environValue(environ []string, key string) (found string, ok bool) {
	for _, kv := range environ {
		if v, is := strings.CutPrefix(kv, key+"="); is {
			found, ok = v, true
		}
	}
	return found, ok
}

func has(environ []string, key string) bool {
	_, ok := environValue(environ, key)
	return ok
}
