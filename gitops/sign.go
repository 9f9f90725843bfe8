package gitops

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Only commits of the journal that leave the clone are signed, by the command of a person
// that sends them: nothing else is there to be asked for a passphrase, and no hook waits
// for one. git signs, by gpg.format and user.signingKey, and verifies.

// Limits of how long git may take to sign: where a person can be asked for a passphrase,
// and where nobody can.
const (
	signAsked = 2 * time.Minute
	signAlone = 10 * time.Second
)

// Signs reports whether the user wants signatures: cortex.sign, else commit.gpgSign.
func (j *Journal) Signs(ctx context.Context) bool {
	for _, key := range []string{"cortex.sign", "commit.gpgSign"} {
		out, err := j.git.Run(ctx, gitcmd.Command{Args: []string{"config", "--type=bool", "--get", key}})
		if err == nil {
			return strings.TrimSpace(string(out)) == "true"
		}
	}
	return false
}

// Sign has git make the composed commit again, with a signature. If it cannot, the commit
// stays as it was. With asks, the user may be asked for a passphrase.
func (j *Journal) Sign(ctx context.Context, c *Composed, asks bool) error {
	data, err := j.git.Run(ctx, gitcmd.Command{Args: []string{"cat-file", "commit", string(c.Commit)}})
	if err != nil {
		return fmt.Errorf("signing a journal commit: %w", err)
	}
	head, message, _ := bytes.Cut(data, []byte("\n\n"))
	args, env := []string{"commit-tree", "-S", "-F", "-"}, []string{}
	tree := ""
	for line := range strings.SplitSeq(string(head), "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			tree = value
		case "parent":
			args = append(args, "-p", value)
		case "author", "committer":
			who, when, _ := strings.Cut(value, "> ")
			name, mail, _ := strings.Cut(who, " <")
			prefix := "GIT_" + strings.ToUpper(key)
			env = append(env, prefix+"_NAME="+name, prefix+"_EMAIL="+mail, prefix+"_DATE=@"+when)
		}
	}
	limit := signAsked
	if !asks {
		limit, env = signAlone, append(env, "SSH_ASKPASS_REQUIRE=never")
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out, err := j.git.Run(limited, gitcmd.Command{Args: append(args, tree), Stdin: bytes.NewReader(message), Env: env})
	if err != nil {
		return fmt.Errorf("signing a journal commit: %w", err)
	}
	c.Commit = ObjectID(strings.TrimSpace(string(out)))
	return nil
}
