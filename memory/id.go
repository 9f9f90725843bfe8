package memory

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
)

// ID identifies a memory and never changes: 16 characters of lower-case
// Crockford base32 (0-9 and a-z without i, l, o, u), 80 bits. See FORMAT.md,
// "Ids".
type ID string

const (
	idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	idLength   = 16
	idShort    = 7
)

// NewID derives an id from content: the first 80 bits of the SHA-256 of type,
// title and text, each normalised (lower case, runs of white space folded) and
// followed by a NUL byte.
func NewID(t Type, title, text string) ID { return digest(t, title, text, "") }

// NewImportedID is [NewID] for a memory that another store called ref. It also
// digests ref, unchanged and followed by a NUL byte, so that documents of equal
// content keep separate ids. An empty ref gives the same id as NewID.
func NewImportedID(t Type, title, text, ref string) ID { return digest(t, title, text, ref) }

func digest(t Type, title, text, ref string) ID {
	h := sha256.New()
	for _, s := range []string{string(t), title, text} {
		h.Write([]byte(normalise(s)))
		h.Write([]byte{0})
	}
	if ref != "" {
		h.Write([]byte(ref))
		h.Write([]byte{0})
	}
	sum := h.Sum(nil)
	var b [idLength]byte
	for i := range b {
		bit := i * 5
		v := uint16(sum[bit/8])<<8 | uint16(sum[bit/8+1])
		b[i] = idAlphabet[v>>(11-bit%8)&31]
	}
	return ID(b[:])
}

// ParseID checks the form of an id.
func ParseID(s string) (ID, error) {
	if len(s) != idLength || !isIDText(s) {
		return "", fmt.Errorf("%q is not a memory id (16 characters of 0-9a-z without i, l, o, u)", s)
	}
	return ID(s), nil
}

// IsIDPrefix reports whether s is a possible beginning of an id.
func IsIDPrefix(s string) bool {
	return s != "" && len(s) <= idLength && isIDText(s)
}

// Short returns the first 7 characters of the id, as output shows it and file
// names end in it.
func (id ID) Short() string { return string(id[:min(len(id), idShort)]) }

func isIDText(s string) bool { return strings.Trim(s, idAlphabet) == "" }

// normalise returns s in the form that is hashed into an id.
func normalise(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), unicode.IsSpace), " ")
}
