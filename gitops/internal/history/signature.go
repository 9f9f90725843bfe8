package history

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Signature names what git found when it verified a commit.
type Signature string

// The signatures there are. Of other kinds than SSH's nothing is said: their programs may
// ask elsewhere for keys.
const (
	Unsigned         Signature = ""
	GoodSignature    Signature = "good"    // by a key of the allowed signers
	UnknownSigner    Signature = "unknown" // by a key that is not among them
	BadSignature     Signature = "bad"     // something else was signed
	ExpiredSignature Signature = "expired" // or the key is
	RevokedKey       Signature = "revoked"
)

// Signed tells what the signature of a commit shows.
type Signed struct {
	Signature Signature
	By        string // of a good one: which of the allowed signers
}

// Signatures has git verify those commits that are signed by SSH; the others are not in
// the answer. Without allowed signers all keys are unknown. No other program is run.
func (h Reader) Signatures(ctx context.Context, commits []gitobject.ID) (map[gitobject.ID]Signed, error) {
	signed := map[gitobject.ID]Signed{}
	if len(commits) == 0 {
		return signed, nil
	}
	var args []string
	for _, key := range []string{"gpg.program", "gpg.openpgp.program", "gpg.x509.program"} {
		args = append(args, "-c", key+"=false")
	}
	if _, err := h.git.Ask(ctx, "", "config", "--get", "gpg.ssh.allowedSignersFile"); err != nil {
		args = append(args, "-c", "gpg.ssh.allowedSignersFile="+os.DevNull)
	}
	args = append(args, "-c", "log.showSignature=false", "log", "--no-walk=unsorted", "--no-color",
		"--no-show-signature", "--format=%H%x00%G?%x00%GS")
	out, err := h.git.Ask(ctx, "verifying signatures", slices.Concat(args, words(commits), []string{"--"})...)
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(fields) != 3 {
			continue
		}
		if s := parseSignature(fields[1]); s != Unsigned {
			signed[gitobject.ID(fields[0])] = Signed{s, fields[2]}
		}
	}
	return signed, err
}

func parseSignature(letter string) Signature {
	known := map[string]Signature{
		"G": GoodSignature, "U": UnknownSigner, "B": BadSignature, "X": ExpiredSignature, "Y": ExpiredSignature,
		"R": RevokedKey,
	}
	return known[letter] // or it is [Unsigned]
}
