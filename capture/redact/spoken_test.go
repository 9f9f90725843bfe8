package redact

import (
	"strings"
	"testing"
)

// TestPasswordsInCommands holds for every way to give a program a password, and
// for several shapes of passwords, in prose around it and on a line of its own.
func TestPasswordsInCommands(t *testing.T) {
	const forms = `
PGPASSWORD=SECRET psql -h db.internal -U app orders
export DBPASSWORD=SECRET
MYSQL_PWD=SECRET mysqldump orders
mysql -uroot -pSECRET orders
mysql -u root --password=SECRET orders
mysqladmin --user root --password SECRET status
sshpass -p SECRET ssh deploy@host uptime
sshpass -pSECRET ssh deploy@host
docker login -u me -p SECRET registry.internal
docker login --username me --password SECRET
twine upload -u me -p SECRET dist/package.whl
redis-cli -h cache -a SECRET ping
openssl pkcs12 -in key.p12 -passin pass:SECRET -nodes
openssl enc -aes-256-cbc -pass pass:SECRET -in a -out b
echo SECRET | sudo -S apt-get update
echo 'SECRET' | docker login -u me --password-stdin
echo "me:SECRET" | chpasswd
curl -u me:SECRET https://host.internal/api
curl --user "me:SECRET" https://host.internal/api
curl -H "Authorization: Bearer SECRET" https://host.internal
curl -H 'Authorization: Api-Token SECRET' https://host.internal
curl -H "X-Auth-Token: SECRET" https://host.internal
vault login SECRET
vault kv put secret/app key=SECRET
kubectl create secret generic app --from-literal=password=SECRET
heroku config:set KEY=SECRET
mongosh -u me -p SECRET
unzip -P SECRET archive.zip
7z x -pSECRET archive.7z
ldapsearch -D cn=me -w SECRET
smbclient //host/share -U me%SECRET
sqlcmd -S host -U sa -P SECRET
sqlplus me/SECRET@db
htpasswd -b file me SECRET
keytool -list -storepass SECRET
gpg --batch --passphrase SECRET -d file.gpg
ansible-playbook site.yml -e ansible_become_pass=SECRET
mytool --db-password SECRET run
mytool --token SECRET run
mytool --api-key=SECRET run
psql postgres://me:SECRET@host.internal/db
redis://:SECRET@cache.internal:6379
`
	for _, secret := range []string{"Zebra-Kettle-77", "hunter2hunter", "Winter2026!", "x9Kq7Wm4" + "Zt8Rb3Yn6"} {
		for form := range strings.SplitSeq(strings.TrimSpace(forms), "\n") {
			line := strings.ReplaceAll(form, "SECRET", secret)
			for _, text := range []string{
				line, "Please run `" + line + "` and look at the output.", "then\n    " + line + "\nand wait",
			} {
				got, _ := String(text)
				if strings.Contains(got, secret) {
					t.Errorf("%q keeps its secret: %q", text, got)
				}
				if again, _ := String(got); again != got {
					t.Errorf("redacting twice changed %q to %q", got, again)
				}
				if program, _, _ := strings.Cut(line, " "); !strings.Contains(program, "=") && !strings.Contains(program, "://") && !strings.Contains(got, program) {
					t.Errorf("%q is lost in %q", program, got)
				}
			}
		}
	}
}

// TestPasswordsInProse holds for the ways in which people write a secret down.
func TestPasswordsInProse(t *testing.T) {
	password := "Winter2026!"
	token := "q8W7e6R5" + "t4Y3u2I1" + "o0P9a8S7" + "d6F5g4H3" + "j2K1"
	for _, c := range []struct{ form, secret string }{
		{"The admin password is SECRET", password},
		{"The admin password is SECRET.", password},
		{"the password for the staging database is SECRET, do not commit it", password},
		{"the password (for root) is `SECRET`", password},
		{"password: SECRET", password},
		{"Password = SECRET", password},
		{"password's SECRET", password},
		{"the root password was changed to SECRET yesterday", password},
		{"set the password to SECRET", password},
		{"Set the admin password to `SECRET` and restart.", password},
		{"the password has been reset to SECRET", password},
		{"I changed the password of the replica to SECRET", password},
		{"password set to SECRET", password},
		{"pw: SECRET", password},
		{"the pw is SECRET", password},
		{"rotate the token to SECRET", token},
		{"log in with user admin and password SECRET", password},
		{"credentials: admin / SECRET", password},
		{"admin / SECRET", password},
		{"admin/SECRET", password},
		{"admin:SECRET", password},
		{"login is me@company.org / SECRET", password},
		{"use SECRET as the password", password},
		{"SECRET is the admin password", password},
		{"Das Passwort ist SECRET", password},
		{"Passwort: SECRET", password},
		{"la contraseña es SECRET", password},
		{"le mot de passe est: SECRET", password},
		{"пароль: SECRET", password},
		{"Пароль: SECRET", password},
		{"ПАРОЛЬ: SECRET", password},
		{"Şifre: SECRET", password},
		{"密码：SECRET", password},
		{"the password is hunter2", "hunter2"},
		{"The admin password is swordfish.", "swordfish"},
		{"the password is \"swordfish\"", "swordfish"},
		{"the passphrase is 'correct-horse-battery'", "correct-horse-battery"},
		{"password is now:\n\nSECRET\n", password},
		{"the token: SECRET", token},
		{"the token is SECRET", token},
		{"our API key is SECRET, keep it safe", token},
		{"my access key for the sandbox is SECRET", token},
		{"pat is SECRET", token},
		{"PAT: SECRET", token},
		{"here is the token:\nSECRET\nuse it", token},
		{"use token SECRET for that", token},
		{"it sends Bearer SECRET with each call", token},
		{"Authorization: Bearer SECRET", token},
		{"Authorization: Api-Token SECRET", token},
		{"\"Authorization\": \"Api-Key SECRET\"", token},
		{"headers['X-Api-Key'] = 'SECRET'", token},
		{"machine github.com login me password SECRET", password},
		{"machine github.com\n  login me\n  password SECRET\n", password},
		{"db.internal:5432:orders:app:SECRET", password},
		{"https://example.org/hook?access_token=SECRET&x=1", token},
		{"curl 'https://host.internal/orders?user=1&key=SECRET&b=1'", token},
		{"https://host.internal/orders?key=SECRET", token},
		{"https://host.internal/orders?key=SECRET", "Zebra121Kettle77"},
		{"postgres://app:p@ss/w#rd!2@db.internal/orders", "p@ss/w#rd!2"},
		{"amqp://app:p@ssw0rd@queue.internal:5672/", "p@ssw0rd"},
		{"https://SECRET@github.com/owner/repository", token},
		{"kind: Secret\napiVersion: v1\ndata:\n  key: bXlwYXNzd29yZA==\n", "bXlwYXNzd29yZA=="},
		{"kind: Secret\nstringData:\n  key: not so long\n", "not so long"},
		{"{\"kind\":\"Secret\",\"data\":{\"key\":\"bXlwYXNzd29yZA==\"}}", "bXlwYXNzd29yZA=="},
		{"$6$rounds=5000$saltsalt$" + strings.Repeat("aB3./", 17), strings.Repeat("aB3./", 17)},
		{"the hash is $2b$12$" + strings.Repeat("aB3./", 10) + "abc", strings.Repeat("aB3./", 10)},
		{"{SSHA}" + strings.Repeat("aB3", 9) + "==", strings.Repeat("aB3", 9)},
		{"define('AUTH_SALT', 'aB3#x9" + "!kQ7$zP2^mN5&vC8*wE1(rT4)yU6_iO0+pL3=sD9');", "!kQ7$zP2^mN5&vC8"},
	} {
		text := strings.ReplaceAll(c.form, "SECRET", c.secret)
		for _, text := range []string{text, "We agreed on this.\n" + text + "\nThat is all."} {
			got, _ := String(text)
			if strings.Contains(got, c.secret) {
				t.Errorf("%q keeps its secret: %q", text, got)
			}
			if again, _ := String(got); again != got {
				t.Errorf("redacting twice changed %q to %q", got, again)
			}
		}
	}
}

// TestProseStays holds for sentences about secrets that give none away.
func TestProseStays(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(`
The password is hashed with bcrypt.
the password is hashed with argon2id and a salt of 16 bytes
The password is required, and must be at least 12 characters.
The password is optional.
The password is wrong.
password is 8-12 characters long
Rename the password to passphrase.
set the password to something long
We changed the password to base64 and back.
The column password was renamed to password_hash_v2.
Move the password to config/secrets2.go
The reset of the password leads to HTTP/2.
set the password to ADMIN_PASSWORD2
pw := New()
the pw is read from the file
https://host.internal/cache?key=user_42_profile
https://host.internal/cache?key=orders/2026-11
The admin password is stored in AWS Secrets Manager.
The admin password is read from $ADMIN_PASSWORD.
the password is base64-encoded
the password is SHA256-hashed before it leaves the browser
the token is 36 characters long
The token is read from process.env.GITHUB_TOKEN.
the token is JWT/HS256
The token is valid for 3600 seconds.
the API key is in .env.local
The key is ed25519.
The signing key is rotated every 90 days.
the secret is mounted at /run/secrets/db
password: string
password: str = None
password = password
password: required
password: ********
passwordHash: bcrypt
Pass the --password flag to change it.
use --token to authenticate, or set GITHUB_TOKEN
run it with --password-stdin
mysql -p prompts for the password
sshpass -p is insecure
docker login -p is deprecated
curl -u asks for the password
redis-cli -a flag
the tests pass and the password field is read only
tokens: 4096
max_tokens: 16384
token budget: 3000
The author is the owner of the key.
admin / owner / member are the roles
user/session.go and admin/handler_v2.go
src/admin/Dashboard2.tsx
see https://example.com:8080/@scope/package
git@github.com:owner/repository.git
https://registry.npmjs.org/@types/node/-/node-20.11.5.tgz
kind: Secrets are listed below
kind: SecretStore
Authorization: required
Authorization headers are dropped
existingAuthorization := NewAuthorizationCredentialsRoundTripper("Bearer", token)
the Authorization header is checked first
Bearer tokens are checked by the gateway
bearer authentication
"password": "{{ .Values.password }}"
PASSWORD=$DB_PASSWORD
export TOKEN="$(gh auth token)"
const token = getToken(user)
token := os.Getenv("TOKEN")
api_key = settings.api_key
secret = hmac.New(sha256.New, key)
if password == "" { return err }
password != nil
type Password struct
PASS: TestTokenIsRefreshedAfterExpiry (0.01s)
--- PASS: TestPasswordReset2 (0.00s)
PWD=/home/someone/project
the pass rate is 98.5%
password policy: min12upper1
The cache key is user:42:profile.
primary key is order_id
monkey = banana42xyz
3fa9c1e2b4d5f60718293a4b5c6d7e8f90a1b2c3
commit 3fa9c1e2b4d5f60718293a4b5c6d7e8f90a1b2c3 added the token
session 5a1e0f00-1111-4222-8333-444455556666 holds a token
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
toolu_01AbCdEf2GhIjKlMn3OpQrStUv
echo hello | sudo tee /etc/motd
echo "done" | grep -c done
TestAuthTokenIsRefreshedWhenItExpires12
the login page is at /admin/login2
`), "\n") {
		for _, text := range []string{line, "We agreed on this.\n" + line + "\nThat is all."} {
			if got, found := String(text); got != text {
				t.Errorf("String(%q) = %q (%v)", text, got, found)
			}
		}
	}
}
