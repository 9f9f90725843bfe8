package redact

import (
	"slices"
	"strings"
	"sync"
)

// options says of programs which of their arguments are secrets:
//
//	-p   the word after the option
//	-p*  what is joined to the option
//	-u:  of the word after the option, what follows a colon
//	-U%  the same with a percent sign
//	=    of every argument, what follows "="
//	1    the first argument without a dash, after the subcommand
//	1/   of the first argument, what follows a slash
//	any  arguments that look like a password
//	last the last argument, if an option has a "b" in it
//	name the second argument, if the first is the name of a secret
//	|    all arguments, if a program after a pipe reads a password
var options = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(optionTable) {
		if programs, forms, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			for p := range strings.SplitSeq(programs, ",") {
				out[strings.TrimSpace(p)] = strings.Fields(forms)
			}
		}
	}
	return out
})

const optionTable = `
mysql,mysqldump,mysqladmin,mysqlimport,mysqlshow,mariadb,mariadb-dump,mariadb-admin,mycli	-p*
sshpass	-p -p*
docker login,podman login,buildah login,skopeo login,nerdctl login,oras login,registry login,crane auth login	-p -p*
az login,az acr login,oc login,cf login,ibmcloud login,twine	-p
redis-cli,valkey-cli,keydb-cli	-a
mongo,mongosh,mongodump,mongorestore,mongoexport,mongoimport,cqlsh,clickhouse-client,snowsql	-p -p*
curl	-u: --user: -U: --proxy-user: -b=
http,https,httpie,xh	-a:
sqlcmd,osql,isql,bcp	-P -P*
ldapsearch,ldapadd,ldapmodify,ldapwhoami,ldapdelete,ldappasswd	-w -w*
smbclient,rpcclient	-U%
zip,unzip	-P
7z,7za,7zz	-p*
rar,unrar	-p* -hp*
openssl	-k -K -passin -passout -pass
htpasswd	last
sqlplus,impdp,expdp,sqlldr,rman	1/
wpa_passphrase	2
vault login	1
vault kv put,vault write,config:set,config:add,secrets set,secret set,variables set,variable set	=
lftp,ncftp	-u,
net use	any
ssh-keygen	-N -P
useradd,usermod	-p
convertto-securestring	1
requirepass,masterauth	1
rabbitmqctl add_user,rabbitmqctl change_password	2
aws configure set,npm config set,pnpm config set,yarn config set,pip config set,git config,gcloud config set,composer config,poetry config,user-secrets set	name
gh secret set,glab variable set	-b --body -v --value
nuget push	2 -ApiKey -k --api-key
echo,printf	|
`

// program looks at a command in which a secret may stand.
func (x *search) program(at int, w *watch) {
	s := x.s
	end := at + len(w.word)
	if end >= len(s) || s[end] != ' ' || at > 0 && (tokenByte(s[at-1]) || s[at-1] == '.') {
		return
	}
	to := min(len(s), at+(2<<10))
	if i := strings.IndexByte(s[at:to], '\n'); i >= 0 && !strings.HasSuffix(s[at:at+i], "\\") {
		to = at + i
	}
	if at > 0 && s[at-1] == '`' {
		if i := strings.IndexByte(s[at:to], '`'); i >= 0 {
			to = at + i
		}
	}
	cmds := shellCommands(s[at:to])
	if len(cmds) == 0 {
		return
	}
	args := cmds[0].words[min(len(cmds[0].words), strings.Count(w.word, " ")+1):]
	for _, form := range options()[w.word] {
		switch form {
		case "|":
			switch {
			case len(cmds) < 2 || cmds[0].after != "|":
			case cmds[1].words[0].text == "base64":
				x.telling(at, args)
			case readsSecret(cmds[1].words):
				x.operands(at, args, 0, "")
			}
		case "any":
			x.telling(at, args)
		case "name":
			settings(x, at, args)
		case "1", "2", "1/":
			x.operands(at, args, int(form[0]-'0'), strings.TrimLeft(form, "12"))
		case "last":
			if n := len(args); n > 2 && slices.ContainsFunc(args, func(a word) bool { return strings.HasPrefix(a.text, "-") && strings.Contains(a.text, "b") }) {
				x.argument(at, args[n-1], 0)
			}
		case "=":
			for _, a := range args {
				x.after(at, a, "=")
			}
		default:
			x.optionValues(at, args, form)
		}
	}
}

// telling adds the arguments that look like a password, or like one in base64.
func (x *search) telling(at int, args []word) {
	for _, a := range args {
		v := strings.TrimRight(a.text, "=")
		if strong(v) || seasoned(v) || len(v) >= 12 && !strings.ContainsAny(v, "-_. ") && random(v) && changes(v)*3 >= len(v) {
			x.argument(at, a, 0)
		}
	}
}

// readsSecret reports whether a command reads a password from its input.
func readsSecret(words []word) bool {
	for i, w := range words {
		if w.text == "-S" && i > 0 && words[0].text == "sudo" || is("readers", w.text) {
			return true
		}
	}
	return false
}

// operands adds the arguments without a dash: all of them, or the one of a
// number. Of one with a mark, what follows the mark is the secret.
func (x *search) operands(at int, args []word, which int, mark string) {
	n := 0
	for _, a := range args {
		if strings.HasPrefix(a.text, "-") {
			continue
		}
		n++
		switch {
		case mark != "" && n == which:
			x.after(at, a, mark)
		case which == 0 && strings.Contains(a.text, ":") && !a.made:
			x.after(at, a, ":")
		case which == 0 && a.text != "%s" && a.text != `%s\n`, n == which:
			x.argument(at, a, 0)
		}
	}
}

// optionValues adds the values of one option.
func (x *search) optionValues(at int, args []word, form string) {
	flag := strings.TrimRight(form, "*:%=,")
	mark := form[len(flag):]
	for i, a := range args {
		switch {
		case mark == "*":
			if strings.HasPrefix(a.text, flag) && len(a.text) > len(flag) && !strings.HasPrefix(a.text[len(flag):], "-") {
				x.argument(at, a, len(flag))
			}
		case a.text == flag && i+1 < len(args):
			if mark != "" {
				x.after(at, args[i+1], mark)
			} else {
				x.argument(at, args[i+1], 0)
			}
		case mark != "" && strings.HasPrefix(a.text, flag) && len(a.text) > len(flag) && (len(flag) == 2 || a.text[len(flag)] == '='):
			x.after(at, a, mark)
		}
	}
}

// after adds what follows the first mark in an argument.
func (x *search) after(at int, a word, mark string) {
	raw := x.s[at+a.start : at+a.end]
	i := strings.Index(raw, mark)
	switch {
	case i < 0 || strings.HasPrefix(raw[i:], "://"):
	case strings.Trim(raw[i+1:], `"'`) != "":
		x.argument(at, a, i+1)
	case mark == ":" && strong(strings.Trim(raw[:i], `"'`)): // a token may stand for the user
		from := at + a.start + len(raw[:i]) - len(strings.TrimLeft(raw[:i], `"'`))
		x.add("secret", from, at+a.start+i)
	}
}

// argument adds an argument from its n-th byte on, without its quotes, unless
// it stands for something else.
func (x *search) argument(at int, a word, n int) {
	from, to := at+a.start+n, at+a.end
	raw := x.s[from:to]
	raw = strings.TrimLeft(raw, "\"'")
	from = to - len(raw)
	raw = strings.TrimRight(raw, "\"'")
	if rest, ok := strings.CutPrefix(raw, "pass:"); ok { // of openssl
		from += len(raw) - len(rest)
		raw = rest
	} else if is("passkinds", upTo(raw, ":")) {
		return
	}
	if raw == "" || strings.HasPrefix(raw, "-") || strings.IndexByte("$.{", raw[0]) >= 0 || strings.Contains(raw, "}}") || placeholder(raw) || strings.HasPrefix(raw, "[") || is("prose", strings.ToLower(strings.Trim(raw, ".,;:)"))) ||
		len(raw) < 3 || strings.ToUpper(raw) == raw && strings.Trim(raw, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" || samplePassword(raw) || distinct(raw) == 1 {
		return
	}
	x.add("secret", from, from+len(raw))
}

// samplePassword holds for words that stand for a password in every manual.
func samplePassword(v string) bool {
	switch strings.ToLower(v) {
	case "password", "pass", "token", "secret", "passwd", "pwd", "test", "pw":
		return true
	}
	return false
}

// literals looks at the values of kubectl's --from-literal.
func (x *search) literals(at int, w *watch) {
	to := at + len(w.word)
	if cmds := shellCommands(x.s[at:min(x.lineTo(at), at+512)]); to < len(x.s) && len(cmds) > 0 {
		words := cmds[0].words
		switch {
		case x.s[to] == '=':
			if i := strings.IndexByte(x.s[to+1:at+words[0].end], '='); i >= 0 {
				x.argument(at, words[0], len(w.word)+1+i+1)
			}
		case len(words) > 1:
			x.after(at, words[1], "=")
		}
	}
}

// option looks at the value of an option such as "--password", which stands
// after a blank.
func (x *search) option(name string, to int) {
	s := x.s
	at := blanks(s, to)
	if at == to || at >= len(s) {
		return
	}
	password, secret := secretName(strings.TrimLeft(name, "-"))
	if last := lastWord(name); !secret || last == "keys" || last == "tokens" || last == "secrets" || ambiguous(name) && name != "--pass" && name != "-pass" {
		return
	}
	cmds := shellCommands(s[at:min(x.lineTo(at), at+512)])
	if len(cmds) == 0 || cmds[0].words[0].start > 0 {
		return
	}
	w := cmds[0].words[0]
	lower, upper, digit, other := classes(w.text)
	if !w.quoted && (lower+upper == len(w.text) && !password || digit+other == 0 && len(w.text) < 5) || strings.HasPrefix(w.text, "/") ||
		!password && len(w.text) < 8 || technical(w.text) {
		return
	}
	x.argument(at, w, 0)
}
