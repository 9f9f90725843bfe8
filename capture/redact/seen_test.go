package redact

import (
	"strings"
	"testing"
)

// The secrets of the cases below, put together so that no scanner takes them for a leak.
var seenAs = map[string]string{
	"PIN":    "4711",
	"WEAK":   "Sommer24",
	"PLAN":   "Story" + "42",
	"WORD":   "swordfish",
	"STRONG": "Kelp" + "Traverse-88!",
	"HEX":    "8f14e45fceea167a5a36" + "dedd4bea2543b1c9d0aa",
	"KEY":    "q8W7e6R5t4Y3u2I1" + "o0P9a8S7d6F5g4H3",
	"B64":    "S2VscFRyYXZlcnNl" + "LTg4IQ==",
	"SIG":    "v3Qh0yK%2Bt7Zr8Wb1Nc" + "5Xm2Lp9Dq4Gf6Js%2FAe0Ru%3D",
	"BODY":   "MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn" + "ygWyF0qY4nR8mZ0oZ8a1cVf2bq1",
}

// TestSecretsAsSessionsShowThem: each way in which a session shows a secret, as a line of
// its own and among others. "\n" stands for a line break.
func TestSecretsAsSessionsShowThem(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(`
My PIN for staging is @PIN@
the PIN for the door panel is @PIN@, the other one is unused
pin: @PIN@
PIN=@PIN@ ./unlock
the sim pin was 0000 and is now @PIN@
passcode is @PIN@
the 2FA backup code is @HEX@
my recovery code is 8f3k-22xm-9qpl-71za
pass is @WEAK@
the pass for the box is @STRONG@
user is deploy, pass is @WEAK@
user: deploy pass: @WEAK@
credentials are admin and @STRONG@
the credentials are admin and @WEAK@
the creds are root / @WEAK@
creds: admin:@WEAK@
login with admin / @WEAK@
log in as admin with @STRONG@
login with deploy and @WEAK@
sign in as admin using @STRONG@
you can log in with admin@corp.local and @WEAK@
username admin, password @WEAK@
use admin/@STRONG@ for the console
https://acct.blob.core.windows.net/backups/db.bak?sv=2022-11-02&ss=b&sp=rl&se=2026-12-01&sig=@SIG@
https://acct.blob.core.windows.net/c?sig=@SIG@&sv=2022-11-02
https://bucket.s3.amazonaws.com/dump.sql?X-Amz-Credential=AKIAQWERTYUIOPASDF23%2F20261123&X-Amz-Signature=@HEX@@HEX@
https://storage.googleapis.com/b/o?GoogleAccessId=x&Expires=1&Signature=@SIG@
https://host.internal/invite?code=@KEY@
https://host.internal/reset-password/@KEY@
https://host.internal/cb?client_secret=@KEY@&grant_type=client_credentials
wss://host.internal/live?auth=@KEY@
git clone https://oauth2:@KEY@@gitlab.internal/team/app.git
git remote set-url origin https://@KEY@@github.com/team/app.git
export DATABASE_URL="postgresql://app:@STRONG@@db.internal:5432/app?sslmode=require"
jdbc:postgresql://db.internal/app?user=app&password=@STRONG@
jdbc:oracle:thin:app/@STRONG@@db.internal:1521/orcl
Server=tcp:db.internal,1433;Database=app;User ID=app;Password=@STRONG@;Encrypt=True
Data Source=db;Initial Catalog=app;uid=app;pwd=@WEAK@;
mongodb+srv://app:@WEAK@@cluster0.mongodb.net/app
host=db user=app password=@WEAK@ dbname=app
DB_PASS=@WEAK@
DB_PASSWORD: @WEAK@
SECRET_KEY_BASE=@HEX@@HEX@
    environment:\n      - POSTGRES_PASSWORD=@WEAK@\n      - TZ=UTC
    environment:\n      MYSQL_ROOT_PASSWORD: @WEAK@\n      TZ: UTC
docker run -e POSTGRES_PASSWORD=@WEAK@ -d postgres:16
docker run --env MYSQL_ROOT_PASSWORD="@STRONG@" mysql
ENV NPM_TOKEN=@KEY@
docker build --build-arg NPM_TOKEN=@KEY@ .
{"auths":{"registry.internal":{"auth":"@B64@"}}}
//registry.npmjs.org/:_authToken=@KEY@
//npm.internal/:_password=@B64@
  - name: DB_PASSWORD\n    value: "@WEAK@"
- name: API_TOKEN\n  value: @KEY@
apiVersion: v1\nkind: Secret\ndata:\n  password: @B64@
kubectl create secret generic db --from-literal=password=@WEAK@
helm upgrade app ./chart --set db.password=@WEAK@
variable "db_password" {\n  default = "@STRONG@"\n}
db_password = "@STRONG@"
resource "aws_db_instance" "db" {\n  username = "app"\n  password = "@WEAK@"\n}
terraform apply -var="db_password=@STRONG@"
{"user":"app","password":"@WEAK@"}
{\"user\":\"app\",\"password\":\"@WEAK@\"}
{"client_id":"app","client_secret":"@KEY@"}
{"key":"DB_PASSWORD","value":"@STRONG@"}
<add key="ApiToken" value="@KEY@" />
<password>@WEAK@</password>
spring.datasource.password=@WEAK@
[default]\naws_access_key_id = AKIAQWERTYUIOPASDF23\naws_secret_access_key = @KEY@@PIN@ab/cDeFg
Authorization: Basic @B64@
curl -H "Authorization: Basic @B64@" https://host.internal
curl -H "X-Api-Key: @KEY@" https://host.internal
> Authorization: Bearer @KEY@
x-api-key: @HEX@
Cookie: session=@KEY@; theme=dark
Set-Cookie: sessionid=@KEY@; Path=/; HttpOnly
Proxy-Authorization: Basic @B64@
curl -d '{"username":"admin","password":"@WEAK@"}' https://host.internal/login
curl -d "grant_type=password&username=admin&password=@WEAK@" https://host.internal/token
curl --data-urlencode "password=@STRONG@" https://host.internal/login
-----BEGIN RSA PRIVATE KEY-----\n@BODY@\n@BODY@
-----BEGIN OPENSSH PRIVATE KEY-----\n@BODY@\n[truncated]
...\n@BODY@\n@BODY@\n-----END RSA PRIVATE KEY-----
"private_key": "-----BEGIN PRIVATE KEY-----\\n@BODY@\\n@BODY@\\n-----END PRIVATE KEY-----\\n"
| user | password |\n|---|---|\n| admin | @STRONG@ |
| admin password | @WEAK@ |
| DB_PASSWORD | @WEAK@ | staging |
| API_TOKEN | @KEY@ |
- **Password:** @WEAK@
- **Password**: @WEAK@
* Password - @WEAK@
Password → @WEAK@
User: admin\nPassword:\n@STRONG@
User: admin\nPass: @WEAK@
passwd @WEAK@
+DB_PASSWORD=@WEAK@
-  password: @WEAK@
fix: change admin password from @STRONG@ to something else
chore: rotate the key (was @KEY@)
Error: authentication failed for user "app" (using password: "@WEAK@")
FATAL: could not connect with postgres://app:@WEAK@@db/app
error: invalid api key: @KEY@
401 Unauthorized: token @KEY@ is expired
Invalid token '@HEX@'
Incorrect API key provided: sk-@KEY@
##[debug]DEPLOY_TOKEN=@KEY@
2026-11-23T09:00:00Z + DEPLOY_TOKEN=@KEY@
2026-11-23T09:00:00Z DEBUG config loaded password=@WEAK@ user=app
[MEMORY: gotcha] The staging PIN is @PIN@.
[MEMORY: context] staging login: admin / @WEAK@
[MEMORY: fix] set REDIS_PASSWORD=@WEAK@ before the tests
the wifi password is @WEAK@
the wifi key is @STRONG@
the root pw on the jump host is @WEAK@
password for jump host: @WORD@
passphrase of the key is "@WORD@"
the passphrase is correct horse battery staple
we use "@WORD@" as the password there
its password is still @WORD@.
the default password @STRONG@ was never changed
signing secret is @HEX@
the webhook secret is @KEY@
our license key is ABCD1-EFGH2-JKLM3-NPQR4-STUV5
the api key for staging: @HEX@
my token's @KEY@
here's my key: @KEY@
OPENAI key = @KEY@
echo "@WEAK@" | base64 # the password
echo @B64@ | base64 -d
echo '@B64@' | base64 --decode
sshpass -p '@WEAK@' scp a b:
ssh-keygen -t ed25519 -N '@WEAK@' -f id
openssl rsa -in k.pem -passin pass:@WEAK@
mysql -h db -u root -p'@STRONG@' app
psql "host=db user=app password=@WEAK@"
net use Z: \\\\host\\share /user:admin @STRONG@
$env:DB_PASSWORD = "@WEAK@"
set DB_PASSWORD=@WEAK@
setx API_TOKEN @KEY@
fish: set -x API_TOKEN @KEY@
setenv API_TOKEN @KEY@
ConvertTo-SecureString "@STRONG@" -AsPlainText -Force
CREATE USER app WITH PASSWORD '@WEAK@';
CREATE USER 'app'@'%' IDENTIFIED BY '@WEAK@';
ALTER ROLE app PASSWORD '@STRONG@';
ALTER USER sa WITH PASSWORD = '@WEAK@'
GRANT ALL ON app.* TO 'app'@'%' IDENTIFIED BY '@WEAK@';
os.environ["DB_PASSWORD"] = "@WEAK@"
process.env.API_TOKEN = '@KEY@'
const client = new Client({ user: 'app', password: '@WEAK@' })
requests.get(url, auth=("admin", "@STRONG@"))
url.UserPassword("tide", "@STRONG@")
auth=('admin','@WEAK@')
smtp.login("bot@corp.local", "@STRONG@")
client.connect(host, username="root", password="@WEAK@")
authToken: @KEY@
app.secret_key = b'@KEY@'
JWT_SECRET=@WORD@-hello-1
ansible_password=@WEAK@
ansible_ssh_pass: @WEAK@
machine host.internal login deploy password @WEAK@
requirepass @STRONG@
redis-cli -a @WEAK@ ping
masterauth @STRONG@
rabbitmqctl change_password guest @STRONG@
htpasswd -bc .htpasswd admin @WEAK@
echo 'deploy:@WEAK@' | chpasswd
useradd -p @STRONG@ deploy
secrets/@KEY@.token
backups/db-password-@STRONG@.sql
admin_password_@WEAK@.txt
look into notes/passwords/@STRONG@.txt for it
C:\team\passwords\@STRONG@.txt
{"file":"C:\\team\\passwords\\@STRONG@.txt"}
db-password-@WEAK@.md is @STRONG@
@PLAN@ is the admin password
set the admin password to @PLAN@
user root, password @PLAN@
(creds/Passwort-@WEAK@.md.bak)
otpauth://totp/Corp:me?secret=JBSWY3DPEHPK3PXPJBSWY3DP&issuer=Corp
the TOTP seed is JBSWY3DPEHPK3PXPJBSWY3DP
AWS_SESSION_TOKEN=@KEY@@KEY@@KEY@
GITHUB_TOKEN = ghp_@KEY@abcd
slack webhook https://hooks.slack.com/services/T00ABCDEF/B00ABCDEF/@KEY@
`), "\n") {
		form := strings.ReplaceAll(line, `\n`, "\n")
		form = strings.ReplaceAll(form, "\\\n", `\n`)
		for _, around := range []string{
			"@", "We looked at it.\n@\nThat is all.", "- then this:\n  @\n- and more", "```\n@\n```",
		} {
			text, held := strings.ReplaceAll(around, "@", "\x00"), []string(nil)
			text = strings.ReplaceAll(text, "\x00", form)
			for name, secret := range seenAs {
				if strings.Contains(text, "@"+name+"@") {
					text, held = strings.ReplaceAll(text, "@"+name+"@", secret), append(held, secret)
				}
			}
			for _, fixed := range []string{
				"8f3k-22xm-9qpl-71za", "correct horse battery staple", "ABCD1-EFGH2-JKLM3-NPQR4-STUV5",
				"JBSWY3DPEHPK3PXP",
			} {
				if strings.Contains(text, fixed) {
					held = append(held, fixed)
				}
			}
			got, _ := String(text)
			for _, secret := range held {
				if strings.Contains(got, secret) {
					t.Errorf("%q keeps %q: %q", text, secret, got)
					break
				}
			}
			if again, _ := String(got); again != got {
				t.Errorf("redacting twice changed %q to %q", got, again)
			}
		}
	}
}

// TestCodesThatMayBeNames: what has the shape of a name and may be a code all the same stays
// hidden.
func TestCodesThatMayBeNames(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(`
PIN @PIN@ on the phone
the PIN is @PIN@ on the door panel
the access code is QXTR-4821
my backup code is HTTP4-8213
the product key is QX7TR-4821
the recovery code is KJHG-4821-QQR
admin / @WEAK@
admin / Kestrel42
admin / Backlog42!
admin / Epic42!
admin / Spike2024
admin:@PLAN@
PIN @PIN@ of her bank card
PIN @PIN@ of the chip card
PIN @PIN@ of the chip
send PIN @PIN@ in the header
the PIN is @PIN@ on the header of the letter
PIN 482913 on the socket
the gate code 48213 on the socket
the recovery key is KJHG-4821
activation key: KJHG-4821
the product key is XKQZVWPT-482913
the licence key was ABC-4711 and is now QX7T-9921
the access code was HTTP-403, now 48213
please input verification code 482913
verification code: 4829-1123
the backup codes are 4829-1123
the PIN of the smart socket is @PIN@
smart socket pin @PIN@
`), "\n") {
		text := strings.NewReplacer(
			"@PIN@", seenAs["PIN"], "@WEAK@", seenAs["WEAK"], "@PLAN@", seenAs["PLAN"],
		).Replace(line)
		if got, found := String(text); len(found) != 1 {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestLookalikesStay holds for what looks like a secret, or stands where one could, and is none.
func TestLookalikesStay(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(`
We pin Go 1.26: 1.27 breaks the Windows build
pin the image to 20241120
the GPIO pin is 1234
pin: 13
the header pin: 2048
PIN 5432 on the header
connect PIN 1234 of the J4 header? no: pin 1235 on a breakout
the product key is SKU-1001
product key: ABC-4711
the licence key of the demo is PROJ-42.
the access code is HTTP-403
the verification code was ERR-10061, see RFC-9110
admin / Backlog42
the roles are admin / Story12 and viewer / Epic2026
the exit code is 4711
the status code was 4040
error code: 10061
the country code is 49301
the pass rate is 98.5 and the second pass is faster
the first pass is O(n2)
the tests pass: phase2 comes next
--- PASS: TestLogin2024 (0.00s)
tests: 120, pass: 118, fail: 2
log in with Google or GitHub
you can log in with SSO and SAML2
log in with username and password
login with passkeys and webauthn
the login is handled by Auth0 and Okta
sign in with your email and a one-time link
credentials are read from the keychain and cached
credentials are stored in 1Password and rotated
the credentials are username and password
logged in as root on host42
login failed for admin and user2
admin / owner / Viewer are roles
"credentialId": "cred_42"
credentials: include
the password field is required
password must have at least 12 characters and a number
| password | string | required |
| token | sha256 | the digest |
| name | password |\n|---|---|\n| string | varchar255 |
| Password | Required |
**Password:** required, at least 12 characters
- **Token:** the bearer of the request
<password>required</password>
type="password" value="Show"
{"key":"password","value":"required"}
{"name":"token","value":"string"}
- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db
variable "db_password" {\n  type = string\n  sensitive = true\n}
variable "db_password" {\n  default = ""\n}
connect(user=user, password=password2)
password = request.form["password2"]
https://host.internal/search?code=ERR_TOO_MANY_REQUESTS_42
https://host.internal/s?session=5a1e0f00-1111-4222-8333-444455556666
https://host.internal/docs?sig=v1&code=200
https://host.internal/token/refresh/v2
tokens/src/lexer/scanner_test.go
secrets/README.md
password-Reset2024.md
docs/password_Policy12.pdf
passwords/Winter2026.md
password-strength.test.ts
src/password_Argon2id.go
db/password_hash_v2.sql
20260101_add_password_reset_at2.sql
auth/PasswordField12.tsx
the key is user-defined
the key is orders:2026-11:pending
our key is the order id
the cache key: orders-2026-11-23-pending
primary key: 8f14e45fceea167a5a36dedd4bea2543b1c9d0aa
object key = uploads/2026/11/23/report-final-v2.pdf
commit 8f14e45fceea167a5a36dedd4bea2543b1c9d0aa fixed the token
unknown revision '8f14e45fceea167a5a36dedd4bea2543b1c9d0aa'
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
id 5a1e0f00-1111-4222-8333-444455556666 of the session
toolu_01AbCdEf2GhIjKlMn3OpQrStUv
golang.org/x/sys v0.49.0 h1:abcdEFGHijklMNOPqrstUVWXyz0123456789ABCDE=
node_modules/@types/node/-/node-20.11.5.tgz
AKIAIOSFODNN7EXAMPLE
wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
PASSWORD=changeme
export TOKEN=$(gh auth token)
DB_PASSWORD=${DB_PASSWORD:?missing}
the passphrase is asked once and then cached by the agent
the passphrase is hashed before it leaves the browser
identified by the id of the session
method identified by 'name' of the route
CREATE USER app WITH PASSWORD :password;
IDENTIFIED BY ?
echo hello | base64
echo "$SECRET" | base64 -d
ssh-keygen -t ed25519 -C deploy -f id
the recovery code path is in recover.go
backup codes are printed once
the verification code is sent by mail
OTP is optional, TOTP comes later
the security code review is done
-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGPKOUZlkYLz0mSyH2vUBYu4EIFpjShsUSh3vimK me@host
the password was changed from bcrypt to argon2id
rename password from passwd to pwd
the passphrase is kept outside version control
user stories: Epic12 / Story34
Login flow:\nPass: partial
Server tests\n- pass: twelve
the key (was id) is now order_id
Python312 and Node22 are the versions, login works with both
sign in with Postgres16 and Redis72
git config credential.helper store
git config user.name kelp2tide9
git config http.sslKeyPasswordProtected true
npm config set registry https://registry.internal
aws configure set region eu-west-1
cat <<EOF | kubectl apply -f -\nkind: ConfigMap2\nEOF
Basic Authentication is used here
"node_id":"MDQ6VXNlcjQyMTE3NzM="
"id": "MDEwOlJlcG9zaXRvcnk0MjExNzcz"
the recovery codes are 12 items long
Recovery codes: see docs/2fa2.md
backup codes: 10 per user
IMAGE_REL_SEG12   = 0x0009\nIMAGE_REL_SECTION2 = 0x000A
api_key=load_the_key_from_vault\nother_setting_42=on
das Passwort ist falsch
das Passwort ist gespeichert
le mot de passe est obligatoire
la contraseña es incorrecta
la clave es entender el orden
a senha é obrigatória
het wachtwoord is verplicht
hasło jest wymagane
пароль неверный
密码是必填项
login    string\n\tpassword string
パスワードは必須です
internal/capture/redact/search_test.go\ninternal/capture/redact/option_test2.go
sha256:9f86d081884c7d659a2feaa0c55ad015\na3bf4f1b2b0b822cd15d6c15b0f00a08 is the digest
JBE  emit_gauge_copy_repeat_emit_lits_packTidesBlock4MB_copy_move_8through16
kelp_tide/charts/test_bar.py,sha256=bt-7vD03uQvmLVYvGZLqPLluR6kUlBRBAGJwCc8F7KK,1342
keyThumbprint = "tide-Bd1Zshp8KLePv2MB-lJ_Hagp7wAwdkA0NUTniU"
arg_label_pm_14\n\targ_tide_width\n\targ_gauge_R\n\targ_gauge_R_pm_R_W\n\targ_gauge_R_pm_R_postindex
"stack-e-ke3lptide-node-TideGaugeScalingGroup-QSB2ZO88"
"Kelp::IAM::AccessKey": "72c2d9dd90025459",
"Kelp::Config::GaugeAuthorization": "af318b77aaceeeaa",
"NextToken": "5bkgcezyuaqhtWk3C8OTW6cjRghrwV9XDMivm5B3MXm+Lv6G"
"LockToken":"1eb5ec48-7341-4c6d-b9f9-ee9b906c541e",
--client-request-token "02ccb92b-33e8-4dfa-a0c1-35b181ed26b0"
"nextForwardToken": "f/31961209122447488583055879464742346735121166569214640130"
gauge-tool put --secret-arn "arn:kelp:vault:us-west-2:123456789012:secret:tide1-Abcd1e"
"arn:kelp:vault:us-west-2:123456789012:secret:tide1-Abcd1e"
gauge-tool make --private-key-outfile "gauge7.private.key"
gauge-tool set --token-mfa-settings Enabled=true,Preferred=true
gauge-tool make --signing-key-algorithm RSA_2048
gauge-tool make --secret-key secret-key-for-the-tide-store
gauge-tool passwd --previous-password OldPassword --proposed-password NewPassword
"SigningKeyCertificate": "MIICiTCCAfICCQD6m7oRw0uXOjANBgkqhkiG9w0BAQUFADCBiDEL"
"integrity": "sha512-YrwaA0vEKazPBkn0ipTiMpSajYDSe+KjQfrjhcBMxJt/znbvlHd8Pw/Vamaz5EB4Wfhs3SUR3Z9mwRu/P3s3Yg==",
"htpasswd":                 "htpasswd",
"htpasswd":                 htpasswd,
gauge-tool export --export-secret-keys "Tide Key 2"
the masked address is https://***:***@proxy.internal
gauge-tool confirm --tide-secret-verifier-config Verifier=TXlWZXJpZmllclN0,Order=TXlTUlBTYWx0
    def __init__(self, pwd):\n        self.key0 = 305419896
pk = EAAD1B28CFBD736B988B8CE312D45BF9EAD403612012A232A28041533E49C698FC7727C90D5C7F33E772DD88C0A1B2C3D4E5F60718
PrivateKeyTypes = (Ed25519PrivateKey, Ed448PrivateKey)
"salt": b"kelp:TIDE:HKDF:Ed25519",
gauge-tool make --token-validity-units AccessToken=minutes,IdToken=minutes
baseTideCredsReqBody = "audience=32555940559.apps.tide.internal&grant_type=urn%3Aietf%3Aparams"
Set-Cookie: PART_NUMBER=TIDE_GAUGE_0001; path=/
Cookie: __utma=1.1978842379.1323102373.1323102373.1; NumberOfVisits=1,2026-02-28T13:42:18
proxy_url="socks5h://<username>:<password>@tide-proxy"
docker login -u KELP -p <password> -e none https://host.internal
gauge-tool make --gauge-token-configurations userId=tide
    pass_duration: tide.protobuf.duration_pb2.Duration | None
"MultipartUploadId": "qt-RBst_7yO8gVIonIBsAxr2t-db0pE4s8MNeGjKjGdNpuU-cdSAcq"
"to-get-temporary-credentials-for-a-gauge-by-using-gettidetoken-1480540749900"
r'TideSound|ResetGauge|PassCollisions|AxisAngle2Tide|Rot2(?:Axis|Angle)'
token(1), rawToken("9007199254740993"), rawToken("9007199254740994")
should_pass("TideDLL('./_sqlite3.dll')")
"nextSequenceToken": "49542672486831074009579604567656788214806863282469607346"
NewState: _tide32typing.PyTOKEN_GROUPS) -> _tide32typing.PyTOKEN_GROUPS: ...
--starting-token eyJOZXh0VG9rZW4iOiBudWxsLCAidGlkZSI6IDEwfQ==
"SubjectToken": "amzn1.account.AF6RHO7KZU5XRVQJGXK6HB56KR2A"
jle gauge_copy_repeat_emit_lits_packFastTideRow512K_copy_move_8through16
PassTideEntered = "PassTideEntered"
const onePassTideDataHex = "c40d03000201ab105c91af38fb1501"
{"UserPassword", Func, 0, "func(name, word string) *Userinfo"},
{"Output":"    --- PASS: TestGaugeReaderAllocs/ipv4-in-ipv6 (0.00s)\\n"}
def encode(self, private_key: ed25519.Ed25519PrivateKey, f_priv: Gauge) -> None
def begin(sa: _tide32typing.PySECURITY_ATTRIBUTES, size, args, /): ...
    password: Incomplete
    authorization: GaugePropertyWithDelete[_authorization | None, str]
'TDAuthorization', 'TDAuthorizationTideIDButton', 'TDAuthorizationTide'
// Second authorization: 403 insufficient_scope with scope="admin"
('Authorization', 'Basic dGlkZQ==')
after: "Y3Vyc29yOjE5NTE4NDI1Ng=="
passwd:         compat\ngroup:          compat
const tideExpectedSalt = "fcb94490bcb98bbdc9d106c6090266940f72e89edc21b559"
zAAAAN0R3QDu7iIA////AAAAAAAAAAAAAAAAAAAAAAAAAAi3AAAAAAAAADeAAAAAAAAA
the password is:%vDecrypted with:%v
`), "\n") {
		form := strings.ReplaceAll(line, `\n`, "\n")
		for _, text := range []string{
			form, "We agreed on this.\n" + form + "\nThat is all.", "- then this:\n  " + form,
		} {
			if got, found := String(text); got != text {
				t.Errorf("String(%q) = %q (%v)", text, got, found)
			}
		}
	}
}

// TestLongSecrets: of a secret that is longer than what is looked at around a name, nothing
// stays; and what stands behind it does.
func TestLongSecrets(t *testing.T) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for _, size := range []int{windowWord + 500, windowValue + 900, 3 * windowValue} {
		b, n := make([]byte, size), uint32(7)
		for i := range b {
			n = n*1664525 + 1013904223
			b[i] = letters[n>>16%uint32(len(letters))]
		}
		for _, form := range []string{
			"the access token is @", "TOKEN=@", "password: @", `token: "@"`, "const apiKey = '@'",
			"?X-Amz-Security-Token=@&b=1", "password=@,password=@",
		} {
			got, _ := String(strings.ReplaceAll(form, "@", string(b)) + " and more")
			if len(got) > 120 || !strings.HasSuffix(got, " and more") {
				t.Errorf("%q keeps %d bytes of %d", form, len(got), size)
			}
		}
	}
}
