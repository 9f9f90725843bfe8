package redact_test

import (
	"testing"

	"github.com/git-cortex/cortex/capture/redact"
)

func TestSensitive(t *testing.T) {
	for text, want := range map[string]string{
		"The export is vulnerable to SQL injection until the query is bound": "vulnerability",
		"CVE-2026-12345 holds for the parser":                                "vulnerability",
		"Anyone can bypass the login with an empty token":                    "vulnerability",
		"The gateway of the plant is at 192.168.17.4":                        "network address",
		"Ask ina.quill@harbour-works.de before the export":                   "mail address",
		"The night shift answers at +49 40 1234567":                          "phone number",
		"Call (555) 123-4567 when the pump stops":                            "phone number",
		"The spare keys are at 12 Old Harbour Road":                          "postal address",
		"Der Schlüssel liegt in der Hafenstraße 12":                          "postal address",
		"The test account has the date of birth of the founder":              "personal data",
		"Pay to DE89 3704 0044 0532 0130 00":                                 "account number",
		"Names are escaped to prevent SQL injection in the export":           "",
		"Prevent XSS in titles. The comment field still allows XSS, though":  "vulnerability",
		"We reject paths with dots against path traversal":                   "",
		"Die Sicherheitslücke im Import ist offen":                           "vulnerability",
		"exploit the cache":                                            "",
		"Clone with git@github.com:harbour/gauges.git":                 "",
		"Tests write to someone@example.com":                           "",
		"The decorator @app.route is read at start":                    "",
		"Bind to 127.0.0.1 and never to 0.0.0.0":                       "",
		"The subnet is 10.0.0.0/8":                                     "",
		"Gauge 4001 is read 2026-11-20T14:03:11Z at 3.14.15":           "",
		"Commit 0123-4567-8901 is not a phone":                         "",
		"Release 1.20.300 runs 1200 times a second, from 2024 to 2026": "",
		"Dependency injection keeps the store testable":                "",
	} {
		if got := (*redact.Redactor)(nil).Sensitive(text); got != want {
			t.Errorf("Sensitive(%q) = %q, want %q", text, got, want)
		}
	}
}

// Who keeps people's data does not have it held.
func TestKeeping(t *testing.T) {
	r := (*redact.Redactor)(nil).Keeping()
	for text, want := range map[string]string{
		"Ask ina.quill@harbour-works.de before the export": "",
		"The login has an auth bypass":                     "vulnerability",
	} {
		if got := r.Sensitive(text); got != want {
			t.Errorf("Sensitive(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestSensitiveWords: what opens a question is no narrower than the question, so
// that each word for a weakness or for data about a person is heard.
func TestSensitiveWords(t *testing.T) {
	for want, phrases := range map[string][]string{
		"vulnerability": {
			"GHSA-ab12-cd34-ef56", "vulnerabilities", "vulnerable", "exploited", "exploitation", "a zero-day",
			"a 0-day", "a backdoor", "a security hole",
			"a Security Flaw", "security bugs", "a security issue", "security weaknesses", "privilege escalation",
			"an authentication check bypass", "access bypass",
			"bypassing the permissions", "a leaked API key", "exposed tokens", "a compromised secret",
			"faille de sécurité", "安全漏洞", "shell injection", "XSS",
			"cross-site scripting", "CSRF", "SSRF", "XXE", "RCE", "(rce)", "Remote Code Execution", "path traversal",
			"an open redirect", "arbitrary files",
			"request smuggling", "a buffer overflow", "use after free", "use-after-free",
		},
		"personal data": {
			"the date of birth", "born on a Sunday", "the passport number", "Passport no 12",
			"a social security number", "the SSN", "her salary", "Ina's illness",
			"his medical file", "their diagnosis", "her home address", "his phone number", "Ina's birthday",
		},
		"network address": {"10.1.2.3", "172.16.0.9", "192.168.1.20"},
		"": {
			"the source is a resource", "code that runs after the execution", "redirect his output",
			"a free port after all",
		},
	} {
		for _, p := range phrases {
			if got := (*redact.Redactor)(nil).Sensitive("The gauge reader knows " + p + " here"); got != want {
				t.Errorf("Sensitive of %q = %q, want %q", p, got, want)
			}
		}
	}
}
