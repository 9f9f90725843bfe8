//go:build !linux

package testrun

func usable(string) bool { return false }
