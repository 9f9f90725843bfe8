package redact

import (
	"fmt"
	"strings"
	"testing"
)

// Tokens are put together here so that no scanner takes this file for a leak.
func TestRedact(t *testing.T) {
	gh := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	for _, c := range []struct{ in, want string }{
		{"use " + gh + " now", "use [redacted: github] now"},
		{"key AKIA" + "QWERTYUIOPASDF23", "key [redacted: aws-access-key]"},
		{"https://bob:s3cr3t" + "Pass@example.org/x", "https://bob:[redacted: url-password]@example.org/x"},
		{`stationToken := "q8w7e6r5` + `t4y3u2i1"`, `stationToken := "[redacted: secret]"`},
		{"export DB_PASSWORD='hunter2" + "!long'", "export DB_PASSWORD='[redacted: secret]'"},
		{
			"-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA7x9", 4) + "\n-----END RSA PRIVATE" + " KEY-----",
			"-----BEGIN RSA PRIVATE KEY-----[redacted: private-key]-----END RSA PRIVATE KEY-----",
		},
		{"Authorization: Bearer abcd1234" + "efgh5678", "Authorization: Bearer [redacted: auth-header]"},
	} {
		got, found := String(c.in)
		if got != c.want || len(found) == 0 {
			t.Errorf("Redact(%q) = %q, %v\nwant %q", c.in, got, found, c.want)
		}
		if again, _ := String(got); again != got {
			t.Errorf("redacting twice changed %q to %q", got, again)
		}
	}
}

func TestRedactLeavesAlone(t *testing.T) {
	for _, s := range []string{
		"", "plain prose about tokens, keys and passwords",
		"commit 3fa9c1e2b4d5f60718293a4b5c6d7e8f90a1b2c3 fixed it",
		"id 5a1e0f00-1111-4222-8333-444455556666",
		`"integrity": "sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08=="`,
		"golang.org/x/sys v0.49.0 h1:abcdEFGHijklMNOPqrstUVWXyz0123456789ABCDE=",
		`token: "{{ .Env.TAP_GITHUB_TOKEN }}"`, "TOKEN=$GITHUB_TOKEN", "password=${DB_PASSWORD}",
		"api_key = os.Getenv(\"API_KEY\")",
		"GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "password: changeme", "secrets.HOMEBREW_TAP_APP_ID",
		"https://example.org/path?x=1", "git@github.com:owner/repo.git", "curl -u user:password https://example.org",
		"access_token_url = https://example.org/login/oauth/access_token",
		"clientId: 73082700-1f09-405b-80d0-3131bfd6272d",
		`nonMatchingToken := "q8w7e6r5` + `t4y3u2i1"`, `fakeApiKey = "q8w7e6r5` + `t4y3u2i1"`,
		"password: ENC[AES256_GCM,data:W3PiZ6lD6bpfAdI=,iv:2qF98Zk]",
		`token: "CustomerBillingAddressContentType7"`, `telegram_token = "12:Aq8w7e6r5` + `t4y3u2i1"`,
		"var rsaPrivateKey = test1024Key", "PrivateKey:  testP256PrivateKey,",
		"Token: `urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6`",
		`t.Fatal("client login with password only must fail")`, "login with password\nclientConfig = &ClientConfig{",
		`regexp.MustCompile("(?s)-----BEGIN RSA PRIVATE ` + `KEY-----.*-----END RSA PRIVATE KEY-----")`,
		"the token budget is 3000 tokens per briefing", "key: value pairs", "use `accessToken()` instead of `token`",
	} {
		if got, found := String(s); got != s {
			t.Errorf("Redact(%q) = %q (%v)", s, got, found)
		}
	}
}

func TestRedactorPatterns(t *testing.T) {
	r, bad := New([]string{`\bacme-[0-9]{4}\b`, `(?i)badge\s+([a-z]{3}[0-9]{3})`, `(unclosed`, "", `x*`})
	if len(bad) != 2 {
		t.Errorf("errors: %v", bad)
	}
	for _, err := range bad {
		if strings.Contains(err.Error(), "unclosed") {
			t.Errorf("the error repeats the pattern: %v", err)
		}
	}
	for _, c := range []struct{ in, want string }{
		{"see acme-1234, acme-77", "see [redacted: custom], acme-77"},
		{"Badge abc123 opens it", "Badge [redacted: custom] opens it"},
		{"nothing here", "nothing here"},
		{"acme-1234 and https://u:s3cr3t" + "Pass@h/", "[redacted: custom] and https://u:[redacted: url-password]@h/"},
	} {
		got, _ := r.Redact(c.in)
		if got != c.want {
			t.Errorf("Redact(%q) = %q, want %q", c.in, got, c.want)
		}
		if again, _ := r.Redact(got); again != got {
			t.Errorf("redacting twice changed %q to %q", got, again)
		}
	}
	var none *Redactor
	if got, _ := none.Redact("acme-1234"); got != "acme-1234" {
		t.Errorf("nil redactor: %q", got)
	}
	if _, bad := New(make([]string, maxPatterns+1)); len(bad) == 0 {
		t.Error("no error for too many patterns")
	}
	greedy, _ := New([]string{"redacted", "custom"})
	if got, _ := greedy.Redact("see [redacted: secret] and redacted"); got != "see [redacted: secret] and [redacted: custom]" {
		t.Errorf("a pattern ate a mark: %q", got)
	}
}

func TestLine(t *testing.T) {
	gh := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	for in, want := range map[string]string{
		"use " + gh + "\nnow":                          "use [redacted: github] now",
		"use " + gh[:10] + "\u200b" + gh[10:] + " now": "use [redacted: github] now", // joined when it is cleaned
		strings.Repeat("words ", 1000) + gh:            strings.TrimSpace(strings.Repeat("words ", 682)),
		strings.Repeat("x", 4090) + " " + gh:           strings.Repeat("x", 4090), // not the half of a token
	} {
		if got := (*Redactor)(nil).Line(in); got != want {
			t.Errorf("Line(%.60q…) = %.80q…, want %.80q…", in, got, want)
		}
	}
}

// FuzzRedact: spans are ordered and within the text, and what was redacted
// once stays as it is.
func FuzzRedact(f *testing.F) {
	f.Add("token=abc123def456 and https://u:passw0rd@h/")
	f.Add("the password is X1y2z3!q, admin / X1y2z3!q; mysql -pX1y2z3!q | echo X1y2z3!q | sudo -S")
	f.Add(
		"kind: Secret\ndata:\n  a: bXlwYXNzd29yZA==\n---\n-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7x9MIIEpAIBAAKCAQEA7x9MIIE",
	)
	f.Add("Cookie: a=b1c2d3e4f5g6h7i8j9; Authorization: Digest a=\"b\", c=d1")
	f.Add("İ password=\"Tr0ub4dor&3\" ſ")
	f.Fuzz(func(t *testing.T, s string) {
		got, found := String(s)
		at := 0
		for _, x := range found {
			if x.Start < at || x.End <= x.Start || x.End > len(s) {
				t.Fatalf("span %v out of order in %q", x, s)
			}
			at = x.End
		}
		if len(found) == 0 && got != s {
			t.Fatalf("changed without a finding: %q", got)
		}
		if again, _ := String(got); again != got {
			t.Fatalf("redacting twice changed %q to %q", got, again)
		}
	})
}

// BenchmarkRepeated shows what a text costs that is one line of names, or one table of
// them: by its length, not by the square of it.
func BenchmarkRepeated(b *testing.B) {
	for name, s := range map[string]string{
		"names":   "password:",
		"quotes":  `password="`,
		"prose":   "password ",
		"headers": "|password",
		"tables":  "|password|x|\n|--|--|\n",
		"pairs":   "login: admin / ",
		"calls":   "curl -u ",
		"lines":   "q8W7e6R5t4Y3u2I1o0P9a8S7d6F5g4H3\n",
		"base64":  "ZGVwbG95OktlbHBUcmF2 ",
		"one":     "ZGVwbG95OktlbHBUcmF2ZXJz",
		"fed":     "chpasswd <<EOF\na:b\n",
		"input":   "<<< chpasswd ",
		"codes":   "backup codes: 1234-5678 ",
		"foreign": "Passwort für die ",
		"asked":   "creds admin and ",
	} {
		for _, size := range []int{32 << 10, 128 << 10} {
			text := strings.Repeat(s, size/len(s))
			b.Run(fmt.Sprintf("%s/%dKB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					String(text)
				}
			})
		}
	}
}

func BenchmarkRedact(b *testing.B) {
	prose := strings.Repeat(
		"The scheduler in internal/alert/alert.go reads limits once per run, because reading 400 files was slow. ",
		40,
	)
	b.SetBytes(int64(len(prose)))
	for b.Loop() {
		String(prose)
	}
}
