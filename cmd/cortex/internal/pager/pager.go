// Package pager shows long output page by page, as git does. Call [Start] where standard
// output is a terminal, write to what it returns, and close it. It promises that a
// pager that is not there, or that a person leaves early, is no failure.
package pager

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

// Pager is a running program that shows what is written to it.
type Pager struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	gone bool // nobody reads any more
}

// Start runs the pager that GIT_PAGER or PAGER names in the environment, or less. What a
// repository's own configuration names is not run. It returns nil if there is none: the
// variable is empty or cat, the terminal is dumb, or the program cannot be started.
func Start(environ []string, out, errors io.Writer) *Pager {
	name, chosen := value(environ, "GIT_PAGER")
	if !chosen {
		name, chosen = value(environ, "PAGER")
	}
	if !chosen {
		name = "less"
	}
	words := strings.Fields(name)
	if term, _ := value(environ, "TERM"); len(words) == 0 || name == "cat" || term == "dumb" {
		return nil
	}
	p := &Pager{cmd: exec.Command(words[0], words[1:]...)}
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

// Write hands data to the pager. What nobody reads is dropped.
func (p *Pager) Write(data []byte) (int, error) {
	if !p.gone {
		_, err := p.in.Write(data)
		p.gone = err != nil
	}
	return len(data), nil
}

// Close waits until the person has left the pager.
func (p *Pager) Close() error {
	_ = p.in.Close()
	if err := p.cmd.Wait(); err != nil && !p.gone {
		return fmt.Errorf("running the pager: %w", err)
	}
	return nil
}

// value is that of a variable, the last one that an environment has.
func value(environ []string, key string) (found string, ok bool) {
	for _, kv := range environ {
		if v, is := strings.CutPrefix(kv, key+"="); is {
			found, ok = v, true
		}
	}
	return found, ok
}

func has(environ []string, key string) bool {
	_, ok := value(environ, key)
	return ok
}
