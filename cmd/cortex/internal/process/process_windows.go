package process

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives a process no console and a group of its own.
func detach(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}

func group(c *exec.Cmd) {
	c.SysProcAttr.CreationFlags = windows.CREATE_NEW_PROCESS_GROUP
}

func shell(ctx context.Context, command string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd")
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + command + `"`}
	return c
}

// killGroup ends a process with all that it started.
func killGroup(p *os.Process) error {
	return exec.Command("taskkill", "/t", "/f", "/pid", strconv.Itoa(p.Pid)).Run()
}

func AllowOwner() {}

func Adopt() {}

func Reap(bool) {}
