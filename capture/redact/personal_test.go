package redact

import (
	"strings"
	"testing"
)

func TestPersonal(t *testing.T) {
	r := (*Redactor)(nil).WithPersonal()
	for in, want := range map[string]string{
		// Mail.
		"ask ana.maria@firma.de first":                "ask [redacted: email] first",
		"Owner: Jane Roe <jane_roe+work@corp.co.uk>.": "Owner: Jane Roe <[redacted: email]>.",
		"mailto:ines@hafen.hamburg":                   "mailto:[redacted: email]",
		"邮箱是ling@shuiwei.cn。":                         "邮箱是[redacted: email]。",
		"an jürgen.müller@firma.de":                   "an [redacted: email]",
		"o'neill@acme.com, and email:bo@acme.io":      "[redacted: email], and email:[redacted: email]",
		// Telephone.
		"call +49 171 2345678 at night":       "call [redacted: phone] at night",
		"+1 (415) 555-2671, or 415-555-2671.": "[redacted: phone], or [redacted: phone].",
		"Fax 030 / 123 45 67":                 "Fax [redacted: phone]",
		"her number is 0171 2345678":          "her number is [redacted: phone]",
		"Tel: 020 7946 0958":                  "Tel: [redacted: phone]",
		"téléphone 06 12 34 56 78":            "téléphone [redacted: phone]",
		"手机：13812345678":                      "手机：[redacted: phone]",
		"phone=+14155552671":                  "phone=[redacted: phone]",
		"0049 171 2345678":                    "[redacted: phone]",
		// Cards and accounts, by their checksums.
		"card 4539 5787 6362 1486 failed":   "card [redacted: card] failed",
		"378282246310005 (Amex)":            "[redacted: card] (Amex)",
		"IBAN DE89 3704 0044 0532 0130 00.": "IBAN [redacted: iban].",
		"to GB82WEST12345698765432 now":     "to [redacted: iban] now",
		// Addresses.
		"ships to 123 Main Street, Springfield, IL 62704": "ships to [redacted: address]",
		"He lives at 7 Rose Lane":                         "He lives at [redacted: address]",
		"Hauptstraße 12, 10115 Berlin":                    "[redacted: address]",
		"in der Berliner Str. 7a":                         "in der [redacted: address]",
		"Rosenweg 3, 20095 Hamburg":                       "[redacted: address]",
		"au 12 rue de la Paix":                            "au [redacted: address]",
		"en Calle Mayor 5":                                "en [redacted: address]",
		"住在南京西路120号":                                      "[redacted: address]",
	} {
		got, found := r.Redact(in)
		if got != want || len(found) == 0 {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if again, _ := r.Redact(got); again != got {
			t.Errorf("redacting twice changed %q to %q", got, again)
		}
		if kept, _ := String(in); kept != in {
			t.Errorf("personal data is no secret, and %q became %q", in, kept)
		}
		if (*Redactor)(nil).Sensitive(in) == "" {
			t.Errorf("Sensitive(%q) = %q", in, (*Redactor)(nil).Sensitive(in))
		}
	}
}

func TestPersonalLeavesAlone(t *testing.T) {
	r := (*Redactor)(nil).WithPersonal()
	for _, s := range []string{
		// No mail of a person.
		"git clone git@github.com:owner/repo.git", "Co-Authored-By: Claude <noreply@anthropic.com>",
		"12345+ana@users.noreply.github.com",
		"user@example.org, jane@mail.example.com, test@localhost, root@db.internal",
		"@app.route('/x') and @pytest.mark.slow", "foo@bar.baz()",
		"lodash@4.17.21, @types/node@20.1.0, actions/checkout@v4.2.0", "logo@2x.png and icon@dark.svg",
		"ssh deploy@prod.acme.io", "scp x ana@prod.acme.io:/srv/x",
		"https://ana@git.acme.io/repo", "this@Main.start", "dependabot@acme.io", "HEAD@{1}",
		"rsync -a . ana@host.acme.io", "a@b", "me@home",
		// Numbers that nobody calls.
		"at 2026-11-22 10:15:00+01:00 in 1763806500123 ms", "commit 1234567890abcdef",
		"192.168.10.120 and 10.0.0.1:8080", "version 1.24.3, 2.1.283",
		"id 5a1e0f00-1111-4222-8333-444455556666", "5,992 of 5,960 (99.47 %)", "between 1000 - 2000 and 3000",
		"+100 200 300 lines", "+1234567 -7654321", "08:00-17:30",
		"0755 and 0644", "line 120-340, 400", "1e10, 0x12345678", "12 34 56 78 90 ab", "sum 4539578763621487",
		"order 1234 5678 9012 3456", "12345678901234567890",
		"100 000 000 rows", "DE00 3704 0044 0532 0130 00", "AB12CD34EF56GH78IJ", "phone book of 3 entries",
		"2 phones, 40 calls", "the mobile layout at 768 px",
		// No street.
		"Step 3 Main", "3 Google Drive files", "Phase 2 Fast Lane", "the 10 Downing", "1 Way to do it",
		"Speicherplatz 3 GB", "Umweg 2", "Via 3", "2 Square", "12 Angry Men", "404 Not Found",
		"avenue 3", "5 rue", "Calle", "第3号", "v1 Road", "500 Internal Server Error",
	} {
		if got, found := r.Redact(s); got != s {
			t.Errorf("%q became %q (%v)", s, got, found)
		}
	}
}

// FuzzPersonal: spans are ordered and within the text, and what was redacted once
// stays as it is.
// TestPersonalOfLongNumbers: a number of any length is read, and is no number of a person.
func TestPersonalOfLongNumbers(t *testing.T) {
	for _, n := range []int{39, 40, 41, 79, 80, 81, 300, 70_000} {
		for _, before := range []string{"", "tel ", "+", "(030) ", "30-"} {
			if found := Personal(before + strings.Repeat("7", n)); len(found) > 0 {
				t.Errorf("%q and %d digits: %v", before, n, found)
			}
		}
	}
}

func FuzzPersonal(f *testing.F) {
	f.Add("ask ana@firma.de, +49 171 2345678, Hauptstraße 12, 10115 Berlin; DE89 3704 0044 0532 0130 00")
	f.Add("<private>Nordwind 7</private> and 4539 5787 6362 1486, 12 rue de la Paix, 南京西路120号")
	f.Add("(415) 555-2671 1 Main St. 2 A Road,3")
	f.Fuzz(func(t *testing.T, s string) {
		h := &Hidden{}
		_, parts := Private(s)
		h.Add(parts...)
		r := (*Redactor)(nil).WithPersonal().Hiding(h)
		got, found := r.Redact(s)
		at := 0
		for _, x := range found {
			if x.Start < at || x.End <= x.Start || x.End > len(s) {
				t.Fatalf("span %v out of order in %q", x, s)
			}
			at = x.End
		}
		if again, _ := r.Redact(got); again != got {
			t.Fatalf("redacting twice changed %q to %q", got, again)
		}
	})
}

func BenchmarkPersonal(b *testing.B) {
	text := strings.Repeat(
		"The reader of segment 12 takes 4,096 bytes at 2026-11-22 10:15 and asks cache.go:120 for the rest; see a1b2c3 and https://example.org/x?id=77. ",
		30,
	)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Personal(text)
	}
}
