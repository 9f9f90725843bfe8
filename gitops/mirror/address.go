package mirror

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/lists"
)

// Credential names who asks a remote, with a password or token. The zero value is nobody. With a secret
// alone the name is "x-access-token", which forges that take tokens as passwords ignore.
type Credential struct{ User, Secret string }

// ErrAddress is an address that is never called.
var ErrAddress = errors.New("address is not allowed")

// check refuses an address that is no URL of one of these protocols, or that names a password.
func (m *Mirror) check(address string, protocols []string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%w: it is no URL", ErrAddress) // the error of url would show a password
	}
	if !slices.Contains(protocols, u.Scheme) {
		return fmt.Errorf("%w: its protocol is %q, not one of %s", ErrAddress, u.Scheme, strings.Join(protocols, ", "))
	}
	if _, has := u.User.Password(); has {
		return fmt.Errorf("%w: it holds a password", ErrAddress)
	}
	if !namesHost(u) {
		return fmt.Errorf("%w: it names no host", ErrAddress)
	}
	return nil
}

// namesHost reports whether a URL leads to a host, or to a folder of this one, by a name that
// no program takes for an option.
func namesHost(u *url.URL) bool {
	return u.Scheme == "file" || u.Hostname() != "" && !strings.HasPrefix(u.Host, "-")
}

// withoutKeys are the protocols that present nothing but what a call passes. ssh would answer
// with the keys of the server's own user.
func withoutKeys(protocols []string) []string {
	return lists.Without(protocols, func(p string) bool { return p == "ssh" })
}

// passed are the variables of the caller's environment that git gets.
func passed() []string {
	return []string{
		"PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_EXEC_PATH",
		"SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND",
	}
}

// environ is the environment of every git: no settings, passwords or cookies of the user who
// runs it. home is a folder that holds none.
func environ(from []string, home string) []string {
	var env []string
	for _, name := range passed() {
		if value := gitcmd.LookupEnv(from, name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, "HOME="+home, "XDG_CONFIG_HOME="+home, "GIT_CEILING_DIRECTORIES="+filepath.Dir(home),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
}

// remote is the name of the address of a call; it stands in no file.
const remote = "hub"

// settings returns the configuration of a call to one address. It is passed in the environment,
// which other users of the machine cannot read, and ends with the call.
func settings(address string, c Credential) [][2]string {
	list := [][2]string{
		{"core.fsmonitor", "false"},
		{"core.hooksPath", os.DevNull},
		{"core.fsync", "all"},
		{"fetch.unpackLimit", "1"},
		{"credential.helper", ""},
		{"http.followRedirects", "false"},
		{"remote." + remote + ".url", address},
		{"remote." + remote + ".promisor", "true"},
		{"remote." + remote + ".partialCloneFilter", "blob:none"},
		{"protocol.version", "2"},
	}
	u, err := url.Parse(address)
	if err != nil || c.Secret == "" || !strings.HasPrefix(u.Scheme, "http") {
		return list
	}
	user := c.User
	user = cmp.Or(user, "x-access-token")
	basic := base64.StdEncoding.EncodeToString([]byte(user + ":" + c.Secret))
	return append(list, [2]string{
		"http." + u.Scheme + "://" + u.Host + "/.extraHeader",
		"Authorization: Basic " + basic,
	})
}

// settingsEnv are settings as git reads them from its environment.
func settingsEnv(list [][2]string) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(list))}
	for i, s := range list {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s[0], "GIT_CONFIG_VALUE_"+n+"="+s[1])
	}
	return env
}

// network lets one call use the network in the name of a credential, with more settings.
func network(address string, c Credential, protocols []string, more ...[2]string) gitcmd.Network {
	env := settingsEnv(append(settings(address, c), more...))
	return gitcmd.Network{Env: append(env, "GIT_ALLOW_PROTOCOL="+strings.Join(protocols, ":"))}
}
