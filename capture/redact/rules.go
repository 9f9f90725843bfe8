package redact

import (
	"regexp"
	"strings"
	"sync"
)

// secretRule is one known format. The expression is compiled on first use,
// and only tried on text that holds one of the keywords.
type secretRule struct {
	kind     string
	keywords []string // lower case
	short    bool     // may match where there is no long run of letters and digits
	re       func() *regexp.Regexp
	check    func(string) bool // nil accepts every match; group 1 is what is checked and redacted, if there is one
}

var secretRules = sync.OnceValue(func() []secretRule {
	var out []secretRule
	for line := range strings.Lines(secretFormats) {
		cells := strings.Fields(line)
		if len(cells) != 3 {
			continue
		}
		expr := cells[2]
		r := secretRule{kind: cells[0], keywords: strings.Split(cells[1], ","), check: genuine}
		if strings.HasPrefix(expr, "!") { // a format so definite that words in it do not matter
			expr, r.check = expr[1:], nil
		}
		switch r.kind {
		case "slack": // their ids may be all one digit
			r.check = func(v string) bool { return random(v) && !strings.Contains(strings.ToLower(v), "xxx") }
		case "vault", "gitlab", "kubernetes":
			r.check = func(v string) bool { return genuine(v) && random(v) }
		case "curl-user":
			r.short = true
			r.check = func(v string) bool { return genuine(v) && !samplePair(v) }
		}
		switch r.kind {
		case "private-key", "url-password", "auth-header", "nuget", "kubernetes", "slack-webhook", "teams-webhook", "sidekiq", "bedrock":
			r.short = true
		}
		r.re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
		out = append(out, r)
	}
	return out
})

// samplePair holds for "user:password" and the like.
func samplePair(v string) bool {
	user, pass, _ := strings.Cut(v, ":")
	switch strings.ToLower(strings.Trim(pass, `"'`)) {
	case "password", "pass", "token", "secret", "test", "passwd", "pwd", strings.ToLower(user):
		return true
	}
	return false
}

// secretFormats is the table: kind, keywords, expression. An expression holds
// no space; "!" before it switches the test for placeholders off.
const secretFormats = `
private-key        -----begin              -----BEGIN[A-Z\s]{0,30}PRIVATE\sKEY(?:\sBLOCK)?-----([\s\S]{40,}?)(?:-----END|\z)
1password          a3-                     \b(A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5})\b
1password          ops_ey                  \bops_eyJ[A-Za-z0-9+/]{100,}={0,3}
age-key            age-secret-key          !AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}
airtable           pat                     \bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b
alibaba            ltai                    \bLTAI[A-Za-z0-9]{20}\b
anthropic          sk-ant-                 !\bsk-ant-(?:(?:admin01|api03)-[\w-]{93}AA|oat01-[\w-]{60,}|sid01-[\w-]{60,})(?:$|[^\w-])
artifactory        akcp,cmvmd              \b(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})\b
atlassian          atatt3                  \bATATT3[A-Za-z0-9_\-=]{60,}
authress           acc,ext_,sc_,scauth     \b(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,}
aws-access-key     akia,asia,abia,acca,a3t \b((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b
bedrock            absk                    !\b(ABSK[A-Za-z0-9+/]{109,269}={0,2})(?:$|[^A-Za-z0-9+/=])
bedrock            bedrock-api-key-        !bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[\w=+/]*
azure              q~                      (?:^|['"\x60\s>=:(,)])([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?:$|['"\x60\s<),\\])
clickhouse         4b1d                    \b(4b1d[A-Za-z0-9]{38})\b
clojars            clojars_                (?i)\bCLOJARS_[a-z0-9]{60}
cloudflare         v1.0-                   \bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b
databricks         dapi                    \bdapi[a-f0-9]{32}(?:-\d)?\b
dnkey              dnkey-                  (?i)\bdnkey-[a-z0-9=_\-]{26}-[a-z0-9=_\-]{52}
digitalocean       _v1_                    \bdo[opr]_v1_[a-f0-9]{64}\b
doppler            dp.                     (?i)\bdp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[a-z0-9]{40,44}\b
duffel             duffel_                 (?i)\bduffel_(?:test|live)_[a-z0-9_\-=]{43}
dynatrace          dt0c01.                 (?i)\bdt0c01\.[a-z0-9]{24}\.[a-z0-9]{64}
easypost           ezak,eztk               (?i)\bEZ[AT]K[a-z0-9]{54}\b
facebook           eaa                     \bEAA[MC][A-Za-z0-9]{100,}\b
facebook           |,%7c                   (?i)\b(\d{15,16}(?:\||%7C)[0-9a-z\-_]{27,40})
flutterwave        flw                     \bFLW(?:PUB|SEC)K_TEST-[a-hA-H0-9]{12,32}
flyio              fo1_,fm1,fm2            \b(?:fo1_[\w-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,}={0,3}|fm2_[A-Za-z0-9+/]{100,}={0,3})
frameio            fio-u-                  (?i)\bfio-u-[a-z0-9\-_=]{64}
freemius           sk_                     (?i)["']secret_key["']\s*=>\s*["'](sk_\S{29})["']
google-api-key     aiza                    \b(AIza[\w-]{35})(?:\b|$|\s|["'\\])
google-oauth       gocspx-,ya29.           \b(?:GOCSPX-[\w-]{28}|ya29\.[\w-]{40,})
github             ghp_,gho_,ghu_,ghs_,ghr_ \bgh[pousr]_[0-9A-Za-z]{36,}\b
github             github_pat_             \bgithub_pat_\w{60,}\b
gitlab             glpat-,glcbt-,gldt-,glft-,glimt-,glagent-,gloas-,glptt-,glrt-,glsoat-,glffct- \bgl(?:pat|cbt|dt|ft|imt|agent|oas|ptt|rt|soat|ffct)-[A-Za-z0-9_.=\-]{16,}
gitlab             gr1348941               \bGR1348941[\w-]{20}\b
gitlab-session     _gitlab_session=        _gitlab_session=[0-9a-z]{32}
grafana            eyjrijoi                \beyJrIjoi[A-Za-z0-9]{70,}={0,3}
grafana            glc_,glsa_              \b(?:glc_[A-Za-z0-9+/]{32,}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})
harness            pat.,sat.               \b(?:pat|sat)\.[\w-]{22}\.[A-Fa-f0-9]{24}\.[A-Za-z0-9]{20}\b
hashicorp          atlasv1                 (?i)\b[a-z0-9]{14}\.atlasv1\.[a-z0-9\-_=]{60,70}
heroku             hrku-aa                 \bHRKU-AA[\w-]{58}\b
huggingface        hf_,api_org_            \b(?:hf|api_org)_[A-Za-z]{34}\b
infracost          ico-                    (?:^|[^\w.])(ico-[A-Za-z0-9]{32})\b
intra42            s-s4t2                  \bs-s4t2(?:ud|af)-[a-f0-9]{64}\b
jwt                eyj                     \beyJ[A-Za-z0-9_\-/+]{12,}\.eyJ[A-Za-z0-9_\-/+\\]{12,}\.[A-Za-z0-9_\-/+\\]{10,}={0,2}
jwt                ey                      \bey[A-Za-z0-9]{17,}\.ey[A-Za-z0-9/\\_-]{17,}\.(?:[A-Za-z0-9/\\_-]{10,}={0,2})?
jwt                zxlk                    \bZXlK[A-Za-z0-9_\-/+]{60,}={0,2}
linear             lin_api_                (?i)\blin_api_[a-z0-9]{40}
lob                live_,test_             (?i)\b(?:live|test)_(?:pub_)?[a-f0-9]{31,35}\b
mailgun            key-                    \b(?:pub)?key-[a-f0-9]{32}\b
mailchimp          -us                     \b[a-f0-9]{32}-us\d\d?\b
mapbox             pk.                     (?i)\bpk\.[a-z0-9]{60}\.[a-z0-9]{22}\b
maxmind            _mmk                    \b[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\b
teams-webhook      webhook.office.com      https://[a-z0-9]+\.webhook\.office\.com/webhookb2/\S{80,}
newrelic           nrak,nrjs,nrii          (?i)\bNR(?:AK|JS|II)-[a-z0-9\-]{19,32}
notion             ntn_                    \bntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3}\b
npm                npm_                    (?i)\bnpm_[a-z0-9]{36}\b
octopus            api-                    \b(API-[A-Z0-9]{26})\b
openai             t3blbkfj                \bsk-[\w-]{20,}T3BlbkFJ[\w-]{20,}
openai             sk-proj-,sk-svcacct-,sk-admin- \bsk-(?:proj|svcacct|admin)-[\w-]{40,}
openrouter         sk-or-v1-               \bsk-or-v1-[a-f0-9]{64}
openshift          sha256~                 \bsha256~[\w-]{43}
perplexity         pplx-                   \bpplx-[A-Za-z0-9]{48}
plaid              access-                 \baccess-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}
planetscale        pscale_                 (?i)\bpscale_(?:tkn|oauth|pw)_[a-z0-9=_.\-]{32,64}
postman            pmak-                   (?i)\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}
posthog            phx_                    \bphx_[A-Za-z0-9_]{40,}
prefect            pnu_                    \bpnu_[A-Za-z0-9]{36}\b
pulumi             pul-                    (?:^|[^A-Za-z0-9])(pul-[a-f0-9]{40})\b
pypi               pypi-                   \bpypi-AgEIcHlwaS5vcmc[\w-]{50,}
readme             rdme_                   \brdme_[a-z0-9]{70}\b
rubygems           rubygems_               \brubygems_[a-f0-9]{48}\b
scalingo           tk-us-                  \btk-us-[\w-]{48}
sendgrid           sg.                     (?i)\bSG\.[a-z0-9=_\-.]{66}
sendinblue         xkeysib-                (?i)\bxkeysib-[a-f0-9]{64}-[a-z0-9]{16}
sentry             sntrys_ey,sntryu_       (?:\bsntrys_eyJ[A-Za-z0-9+/]{40,}={0,2}_[A-Za-z0-9+/]{43}(?:$|[^A-Za-z0-9+/])|\bsntryu_[a-f0-9]{64}\b)
settlemint         sm_                     \bsm_(?:aat|pat|sat)_[A-Za-z0-9]{16}\b
shippo             shippo_                 \bshippo_(?:live|test)_[A-Fa-f0-9]{40}\b
shopify            shpat_,shpca_,shppa_,shpss_ \bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}\b
slack              xoxb-                   \bxoxb-\d{8,14}-[A-Za-z0-9-]{18,}
slack              xoxp-,xoxe-             \bxox[pe](?:-\d{10,13}){3}-[A-Za-z0-9-]{24,34}
slack              xoxp-,xoxs-,xoxo-       \bxox[pso]-\d{5,}-\d{5,}-\d{5,}-[a-fA-F0-9]{8,}
slack              xoxa-,xoxr-             \bxox[ar]-(?:\d-)?[0-9A-Za-z]{8,}(?:-[0-9A-Za-z]{6,})*
slack              xoxe                    (?i)\bxoxe(?:\.xox[bp])?-\d-[A-Z0-9]{60,}
slack              xapp-                   (?i)\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+
slack-webhook      hooks.slack.com         hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,56}
sourcegraph        sgp_                    \bsgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}\b
square             sq0atp-,sq0csp-,eaaa    \b(?:EAAA[\w-]{56,60}|sq0(?:atp|csp)-[\w-]{22,60})
stripe             sk_,rk_                 (?:^|[^A-Za-z0-9_])((?:sk|rk)_(?:test|live|prod)_[A-Za-z0-9]{10,})\b
telegram           :a                      (?i)(?:^|[^\w])(?:bot)?(\d{5,16}:A[a-z0-9_\-]{34})(?:$|[^\w-])
twilio             sk                      \bSK[0-9a-f]{32}\b
twitter            aaaaaaaaaaaaaaaaaaaaaa  !\bA{22}[A-Za-z0-9%]{80,100}
typeform           tfp_                    (?i)\btfp_[a-z0-9\-_.=]{59}
vault              hvb.,hvs.               \b(?:hvb\.[\w-]{80,}|hvs\.[\w-]{90,})
vault              s.                      (?:^|[\s"'=:\x60])(s\.[A-Za-z0-9]{24})(?:$|[\s"'\x60\\,;])
yandex             t1.                     \bt1\.[A-Za-z0-9_-]+={0,2}\.[A-Za-z0-9_-]{86}={0,2}
yandex             aqvn                    \bAQVN[\w-]{35,38}
yandex             yc                      \bYC[\w-]{38}
sidekiq            contribsys              (?i)contribsys[A-Za-z_]*["']?\s{0,3}[:=]{1,2}\s{0,3}["']?([a-f0-9]{8}:[a-f0-9]{8})
url-password       ://                     [a-zA-Z][a-zA-Z0-9+.-]*://[^\s/:@"'<>\x60]+:([^\s/@"'<>\x60]{3,})@
auth-header        authorization,x-api-key,api-key,apikey,token (?i)(?:^|[^\w-])(?:authorization|x-api-key|api-?key|private-token|x-auth-token)["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|apikey|digest)\s{1,3})?([A-Za-z0-9_\-./+=~:]{8,})
curl-user          -u,--user               (?:\s-u|\s--user)[\s=]{0,2}["']?([^\s"':$<{\[]{2,}:[^\s"'$<{\[]{4,}[^\s"']*)
nuget              cleartextpassword       (?i)cleartextpassword"\s+value="([^"]{6,})"
kubernetes         kind                    (?i)kind:\s*["']?secret["']?[\s\S]*?data:\s*(?:\r?\n\s+[\w.\-]+:\s*)["']?([A-Za-z0-9+/]{8,}={0,3})
kubernetes         kind                    (?i)data:\s*\r?\n\s+[\w.\-]+:\s*["']?([A-Za-z0-9+/]{8,}={0,3})["']?\s[\s\S]*?kind:\s*["']?secret
`
