//go:build !unix

package pgtest

import (
	"syscall"
)

func unprivileged(string) (*syscall.SysProcAttr, error) { return &syscall.SysProcAttr{}, nil }
