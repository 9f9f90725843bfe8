package redact

import (
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"git status", "git status"},
		{"git status --short && echo --- && git diff --stat", "git status --short && echo … && git diff --stat"},
		{"go test ./... -run 'TestX|TestY' -count=1 2>&1 | tail -50", "go test ./... -run … -count=… | tail -50"},
		{"npm run build", "npm run build"},
		{"npm run test:unit -- --watch", "npm run test:unit -- --watch"},
		{"git commit -am 'the words'", "git commit -am …"},
		{
			"git add capture/redact/shell.go && git commit -m \"$(cat <<'EOF'\nwords; more | words\nEOF\n)\"",
			"git add capture/redact/shell.go && git commit -m …",
		},
		{"cat > notes.txt <<'EOF'\npassword\nEOF\ngo vet ./cmd/...", "cat; go vet ./cmd/..."},
		{"cd src && make -j4 lint", "make -j4 lint"},
		{"cd /home/someone/project && gh pr view 12 --json title", "gh pr view … --json …"},
		{"FOO=bar BAR=\"a b\" go build ./...", "go build ./..."},
		{"export TOKEN=x", ""},
		{"for f in a b; do rm -rf \"$f\"; done", "rm -rf …"},
		{"if [ -f go.mod ]; then go build; fi", "go build"},
		{"sudo -u postgres psql -c 'select 1'", "sudo psql …"},
		{"timeout 60 go test", "go test"},
		{"/usr/local/bin/golangci-lint run", "golangci-lint run"},
		{"./scripts/deploy.sh production", "./scripts/deploy.sh production"},
		{"git log main..HEAD --oneline -5", "git log main..HEAD --oneline -5"},
		{"git -C /somewhere log -3", "git -C … log -3"},
		{"mytool swordfish", "mytool …"},
		{"mytool status", "mytool status"},
		{"", ""},
		{"   ", ""},
		{"# only a comment", ""},
		{"$x = 1; $y", ""},
		{`gh \`, "gh …"},
		{`gh ''`, "gh …"},
	} {
		if got := Command(c.in); got != c.want && !(c.want == "" && got == omitted) {
			t.Errorf("Command(%q)\n = %q\nwant %q", c.in, got, c.want)
		}
	}
}

// TestCommandHidesValues holds for commands that carry a password, the shapes
// that a password takes, and quotes around it.
func TestCommandHidesValues(t *testing.T) {
	forms := strings.Split(strings.TrimSpace(secretCommands), "\n")
	for _, secret := range []string{
		"Zebra-Kettle-77", "hunter2", "swordfish", "Winter2026!", "a/b", "correct/horse.battery",
		"x" + strings.Repeat("9a", 20), "main.go",
	} {
		for _, quote := range []string{"", "'", `"`} {
			for _, form := range forms {
				line := strings.ReplaceAll(form, "SECRET", quote+secret+quote)
				got := Command(line)
				if strings.Contains(got, secret) {
					t.Errorf("Command(%q) = %q", line, got)
				}
				if again := Command(got); again != got {
					t.Errorf("reducing %q twice gives %q, then %q", line, got, again)
				}
				if got == "" && !strings.HasPrefix(form, "export") && !strings.HasPrefix(form, "PASSWORD") && form != "EOF" {
					t.Errorf("nothing is left of %q", line)
				}
			}
		}
	}
}

// secretCommands are ways to give a program a password.
const secretCommands = `
PGPASSWORD=SECRET psql -h db.internal -U app orders
export API_TOKEN=SECRET
mysql -uroot -pSECRET orders
mysql -u root --password=SECRET orders
mysql --user root --password SECRET
sshpass -p SECRET ssh deploy@host uptime
sshpass -pSECRET ssh deploy@host
docker login -u me -p SECRET registry.internal
twine upload -u me -p SECRET dist/package.whl
redis-cli -h cache -a SECRET ping
redis-cli auth SECRET
openssl enc -aes-256-cbc -in a.txt -out b.bin -pass pass:SECRET
openssl pkcs12 -in key.p12 -passin pass:SECRET -nodes
echo SECRET | sudo -S apt-get update
printf '%s' SECRET | docker login -u me --password-stdin
curl -u me:SECRET https://host/api
curl -H "Authorization: Bearer SECRET" https://host/api
curl -H 'X-Api-Key: SECRET' https://host
curl https://me:SECRET@host/api
curl "https://host/api?token=SECRET"
gh auth login --with-token <<< SECRET
vault login SECRET
npm login SECRET
gh auth login SECRET
vault kv put secret/app key=SECRET
kubectl create secret generic app --from-literal=key=SECRET
kubectl create secret generic app --from-literal key=SECRET
heroku config:set KEY=SECRET
fly secrets set KEY=SECRET
aws configure set aws_secret_access_key SECRET
npm config set //registry.npmjs.org/:_authToken SECRET
git clone https://me:SECRET@host/repository.git
git config user.password SECRET
htpasswd -b file me SECRET
mytool --token SECRET run
mytool --api-key=SECRET run
mytool -t SECRET run
mytool -k SECRET run
ssh host 'mysql -pSECRET'
bash -c "PGPASSWORD=SECRET psql"
psql postgres://me:SECRET@host/db
cat <<EOF > .env
PASSWORD=SECRET
EOF
expect -c 'send SECRET'
zip -P SECRET out.zip file
7z a -pSECRET out.7z
ldapsearch -D cn=me -w SECRET
smbclient //host/share -U me%SECRET
az login --service-principal -u id -p SECRET
snowsql --password SECRET
wpa_passphrase network SECRET
keytool -list -storepass SECRET
gpg --batch --passphrase SECRET -d file.gpg
`

// TestCommandTwice holds for lines whose reduction was once not final, because
// the name of a program was written otherwise than it is read.
func TestCommandTwice(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`\\sudo .`, "sudo"},
		{`C:\\bin\\sudo.exe -u me git status`, "sudo git status"},
		{`a\\nice git status`, "git status"},
		{`'env' git status`, "git status"},
	} {
		got := Command(c.in)
		if again := Command(got); again != got {
			t.Errorf("reducing %q twice gives %q, then %q", c.in, got, again)
		}
		if got != c.want {
			t.Errorf("Command(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzCommand(f *testing.F) {
	for line := range strings.Lines(secretCommands) {
		f.Add(line)
	}
	f.Add(`\\sudo .`)
	f.Add("a `b` $(c \"d) e\") ${f} <<X\nx\nX\n(g) && h | i & j ; k\\\n l 2>&1 >m # n")
	f.Fuzz(func(t *testing.T, line string) {
		got := Command(line)
		if again := Command(got); again != got {
			t.Errorf("reducing %q twice gives %q, then %q", line, got, again)
		}
	})
}
