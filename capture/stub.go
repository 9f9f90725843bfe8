package capture

import (
	"context"
	"errors"
	"io"
)

func run(context.Context, io.ReadSeeker, Options) (*Result, error) { return &Result{Session: &Session{}}, nil }
func sessionPath(*Session) string                                   { return "" }
func formatSession(*Session) []byte                                 { return nil }
func parseSession([]byte) (*Session, error)                         { return nil, errors.New("todo") }

// Secret says what kind of secret stood where.
type Secret struct {
	Kind       string // "aws-access-key", "private-key", …
	Start, End int    // bytes of the input
}

// Redact replaces every secret in s by "[redacted: kind]" and says what it
// found, in order. Text without secrets comes back as it is.
func Redact(s string) (string, []Secret) { return s, nil }

// Detect names the agent that wrote a transcript from its first bytes (64 KiB
// are plenty), "" when it is none that capture can read.
func Detect(head []byte) string { return "" }
