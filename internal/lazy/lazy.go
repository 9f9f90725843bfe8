// Package lazy makes values when they are first asked for.
//
// Its functions are not inlined: the three closures of [sync.OnceValue] would be compiled again at
// each use, a kilobyte of the program each time.
package lazy

import (
	"regexp"
	"sync"
)

// Value is [sync.OnceValue]: it returns a function that calls f once, and returns what f returned.
//
//go:noinline
func Value[T any](f func() T) func() T { return sync.OnceValue(f) }

// Pattern returns a function that compiles a regular expression once. It panics if that is malformed.
//
//go:noinline
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
