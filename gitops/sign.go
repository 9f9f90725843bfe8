package gitops

import (
	"context"
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
		out, err := j.git.Ask(ctx, "", "config", "--type=bool", "--get", key)
		if err == nil {
			return strings.TrimSpace(out) == "true"
		}
	}
	return false
}

// Sign has git make the composed commit again, with a signature. If it cannot, the commit
// stays as it was. With asks, the user may be asked for a passphrase.
func (j *Journal) Sign(ctx context.Context, c *Composed, asks bool) error {
	const doing = "signing a journal commit"
	data, err := j.git.Ask(ctx, doing, "cat-file", "commit", string(c.Commit))
	if err != nil {
		return err
	}
	head, message, _ := strings.Cut(data, "\n\n")
	args, env := []string{"commit-tree", "-S", "-F", "-"}, []string{}
	tree := ""
	for line := range strings.SplitSeq(head, "\n") {
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
	out, err := j.git.Text(limited,
		gitcmd.Command{Doing: doing, Args: append(args, tree), Stdin: strings.NewReader(message), Env: env})
	if err != nil {
		return err
	}
	c.Commit = ObjectID(strings.TrimSpace(out))
	return nil
}
