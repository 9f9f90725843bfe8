package gitops

import (
	"crypto"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"

	githash "github.com/go-git/go-git/v5/plumbing/hash"
)

// ObjectID is the full hexadecimal name of a git object: 40 characters in a
// sha1 repository, 64 in a sha256 one.
type ObjectID string

func isHexID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Hash is the id that data has as a blob of this repository.
func (r *Repo) Hash(data []byte) ObjectID { return r.objects.id("blob", data) }

func (o *objects) id(kind string, data []byte) ObjectID {
	h := o.newHash()
	h.Write([]byte(kind))
	h.Write([]byte{' '})
	h.Write(strconv.AppendInt(nil, int64(len(data)), 10))
	h.Write([]byte{0})
	h.Write(data)
	return ObjectID(hex.EncodeToString(h.Sum(nil)))
}

// none stands for no object where git wants an id.
func (o *objects) none() string { return strings.Repeat("0", 2*o.newHash().Size()) }

// newHash follows the repository. SHA-1 is the collision-detecting one, as in git.
func (o *objects) newHash() hash.Hash {
	if o.sha256 {
		return githash.New(crypto.SHA256)
	}
	return githash.New(crypto.SHA1)
}
