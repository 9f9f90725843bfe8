package memory

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The functions of this file parse single values. [Parse] reports their errors;
// [Memory.Tidy] drops the values that they refuse.

func parseExactType(s string) (Type, error) {
	if t := Type(s); t.Valid() {
		return t, nil
	}
	return "", fmt.Errorf("unknown memory type %q (one of %s)", s, typeNames())
}

func parseTitle(s string) (string, error) {
	if s = OneLine(s); s == "" {
		return "", errors.New("the title is empty")
	}
	return withinLimit(s)
}

// parseItem reads one tag or entity.
func parseItem(s string) (string, error) {
	if s = OneLine(s); s == "" {
		return "", errors.New("an empty item")
	}
	return withinLimit(s)
}

func parseWord(s string) (string, error) { return withinLimit(OneLine(s)) }

func withinLimit(s string) (string, error) {
	if len(s) > MaxTitle {
		return "", fmt.Errorf("%d bytes is over the limit of %d", len(s), MaxTitle)
	}
	if !utf8.ValidString(s) {
		return "", errors.New("not valid UTF-8")
	}
	return s, nil
}

func parseTime(s string) (time.Time, error) {
	for _, layout := range [...]string{
		time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05", time.DateTime, time.DateOnly,
	} {
		if t, err := time.Parse(layout, s); err == nil && validTime(t) {
			return t.UTC().Truncate(time.Second), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time (2026-11-20T14:03:11Z)", s)
}

// validTime reports whether t has a year of four digits and is not the zero
// time.
func validTime(t time.Time) bool {
	year := t.UTC().Year()
	return year > 1 && year <= 9999
}

func parseConfidence(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, fmt.Errorf("%q is not a number from 0 to 1", s)
	}
	return roundConfidence(f), nil
}

// roundConfidence keeps three decimals, and no minus sign before zero.
func roundConfidence(f float64) float64 { return math.Abs(math.Round(f*1000) / 1000) }

func parsePriority(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 10 {
		return 0, fmt.Errorf("%q is not a whole number from 1 to 10", s)
	}
	return n, nil
}

func parseRecord(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a line number", s)
	}
	return n, nil
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "yes", "on":
		return true, nil
	case "false", "no", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}

func parseHex(s string) (string, error) {
	if len(s) < 4 || len(s) > 64 || strings.Trim(s, "0123456789abcdefABCDEF") != "" {
		return "", fmt.Errorf("%q is not an object id (hexadecimal)", s)
	}
	return strings.ToLower(s), nil
}

func parsePath(s string) (string, error) {
	if !ValidPath(s) {
		return "", fmt.Errorf("%q is not a path inside the repository", s)
	}
	return s, nil
}

// ValidPath reports whether s is a slash-separated path that stays inside the
// repository on every system: relative, clean, no "..", nothing that Windows
// or macOS would take for ".git", no backslash, no control character, valid
// UTF-8, at most 1,024 bytes.
func ValidPath(s string) bool {
	return isPortable(s) && !slices.ContainsFunc(strings.Split(s, "/"), isReservedName)
}

// isPortable reports whether the text of a path, apart from the names in it, means the same
// on every system.
func isPortable(s string) bool {
	onDrive := strings.HasPrefix(s[min(1, len(s)):], ":") // of Windows
	barred := strings.ContainsFunc(s, isBarredInPath)
	return len(s) <= 1024 && utf8.ValidString(s) && s == strings.TrimSpace(s) && !onDrive && !barred
}

// isBarredInPath reports whether a character stands in no path: a control character of
// ASCII, or the separator of Windows.
func isBarredInPath(r rune) bool { return r < 0x20 || r == 0x7f || r == '\\' }

// isReservedName reports whether no file or folder of a path may have this name.
func isReservedName(part string) bool {
	switch part {
	case "", ".", "..":
		return true
	}
	return isGitDir(part)
}

// isGitDir reports whether a file system may take a name for ".git": in any
// letter case, followed by dots, spaces or the name of a stream, with ignorable
// characters inside, or its short name. It is also true for names of only dots
// and spaces.
func isGitDir(part string) bool {
	part = strings.ToLower(strings.Map(func(r rune) rune {
		if invisible(r) || r == '\u200d' {
			return -1
		}
		return r
	}, part))
	part, _, _ = strings.Cut(part, ":")
	part = strings.TrimRight(part, ". ")
	return part == "" || part == ".git" || part == "git~1"
}
