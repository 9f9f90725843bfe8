package redact

import (
	_ "embed" // for the forms
	"encoding/base64"
	"strings"
	"testing"
)

// structuredForms holds one form a line, of secrets that only the structure around them tells.
// What stands between « and » is secret, "\n" is a line break, and @NAME@ is a value of
// structured.
//
//go:embed testdata/structure/forms.txt
var structuredForms string

// structured are the secrets of the forms, put together so that no scanner takes them for a leak.
func structured() map[string]string {
	body := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"kelp-7731","name":"Ina Traverse","iat":1777000000}`))
	basic := base64.StdEncoding.EncodeToString([]byte("deploy:Kelp" + "Traverse-88!"))
	return map[string]string{
		"HEAD":  "eyJhbGciOiJIUzI1NiIs" + "InR5cCI6IkpXVCJ9",
		"BODY1": body[:30],
		"BODY2": body[30:],
		"SIG":   "Qm7xR2vK9pL4tZ8wN3sB6h" + "J1yD5fG0aCeUiOqTrWzXk",
		"SIG1":  "Qm7xR2vK9pL4tZ8wN3",
		"SIG2":  "sB6hJ1yD5fG0aCeUiOqTrWzXk",
		"GH1":   "ghp_aB3dE5gH7jK",
		"GH2":   "9mN1pQ4rS6tU8vW2xY" + "z0Bc7De",
		"SK1":   "sk-proj-q8W7e6R5t4Y3u2I1",
		"SK2":   "o0P9a8S7d6F5g4H3j2K1l0Z9" + "x8C7v6B5",
		"HEX1":  "8f14e45fceea167a",
		"HEX2":  "5a36dedd4bea2543",
		"HEX":   "8f14e45fceea167a" + "5a36dedd4bea2543",
		"BASIC": basic,
		"BKEY":  base64.StdEncoding.EncodeToString([]byte("token=ghp_" + "aB3dE5gH7jK9mN1pQ4rS6tU8vW2xYz0Bc7De")),
		"BPEM": base64.StdEncoding.EncodeToString(
			[]byte(
				"-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEowIBAAKCAQEA0Z3VS5JJcds3xfnygWyF0qY4nR8mZ0oZ8a1cVf2bq1\nQm7xR2vK9pL4tZ8w\n",
			),
		),
		"BPASS":  base64.StdEncoding.EncodeToString([]byte("Winter" + "2031!")),
		"WEAK":   "Sommer24",
		"HUNT":   "hunter" + "2hunter",
		"STRONG": "Kelp" + "Traverse-88!",
		"ZEBRA":  "Zebra-" + "Kettle-77",
		"WORD":   "swordfish",
		"KEY":    "q8W7e6R5t4Y3u2I1" + "o0P9a8S7d6F5g4H3",
		"NSS":    "MDoEEPgAAAAAAAAAAAAAAAAAAAEwFAYIKoZIhvcNAwcECDAM" + "JYvxVWmNBBAYOR+4wZeLSB7kqJ",
		"LNSS":   "MFIEEPgAAAAAAAAAAAAAAAAAAAEwFAYIKoZIhvcNAwcECDAM" + "JYvxVWmNBCjAYOR+4wZeLSB7kqJQ8Tz2UvRkWc41pLxNd",
		"PUB":    strings.Repeat("AAAAB3NzaC1yc2EAAAABJQAAAQEAm5d5daeAzNGKouE5k55gfHvpXzosIDIJgrqT\n", 10),
		"PRIV":   "AAABAQCO" + "eW40w29wGn9lPaqHpkrTQW6qiHuTNOYlGiZqhhCmIwYVJsX4QX3NwgC",
	}
}

// TestSecretsByStructure: no secret of any form stays, on a line of its own and among others.
func TestSecretsByStructure(t *testing.T) {
	for line := range strings.Lines(structuredForms) {
		form := strings.TrimRight(line, "\n")
		if form == "" || strings.HasPrefix(form, "# ") {
			continue
		}
		form = strings.ReplaceAll(form, `\n`, "\n")
		for name, value := range structured() {
			form = strings.ReplaceAll(form, "@"+name+"@", value)
		}
		for _, around := range []string{"\x00", "We looked at it.\n\x00\nThat is all.", "```\n\x00\n```", "> \x00"} {
			text := strings.ReplaceAll(around, "\x00", form)
			if around[0] == '>' {
				text = strings.ReplaceAll(text, "\n", "\n> ")
			}
			var held []string
			for i, part := range strings.Split(text, "«") {
				if i > 0 {
					held = append(held, part[:strings.Index(part, "»")])
				}
			}
			text = strings.NewReplacer("«", "", "»", "").Replace(text)
			got, _ := String(text)
			for _, secret := range held {
				for piece := range strings.FieldsSeq(strings.ReplaceAll(secret, "\n> ", "\n")) {
					if len(piece) > 3 && strings.Contains(got, piece) {
						t.Errorf("%q\nkeeps %q: %q", text, piece, got)
						break
					}
				}
			}
			if again, _ := String(got); again != got {
				t.Errorf("redacting twice changed %q to %q", got, again)
			}
		}
	}
}
