package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrivate(t *testing.T) {
	for _, c := range []struct {
		in, kept string
		parts    []string
	}{
		{"no tags at all, a private matter", "no tags at all, a private matter", nil},
		{"use <private>the Hamburg tenant</private> for it", "use  for it", []string{"the Hamburg tenant"}},
		{"<private>all of it</private>", "", []string{"all of it"}},
		{"unclosed <private>goes to the end\nand further", "unclosed", []string{"goes to the end\nand further"}},
		{"goes to the start </private> then on", "then on", []string{"goes to the start"}},
		{"a <private>b <private>c</private> d</private> e", "a  e", []string{"b <private>c</private> d"}},
		{"a <private>b <private>c</private> d", "a", []string{"b <private>c</private> d"}},
		{"a <PRIVATE>b</Private > c", "a  c", []string{"b"}},
		{`a <private reason="x" lang='de'>b</private> c`, "a  c", []string{"b"}},
		{"a <private\nid=1>b</ private> c", "a  c", []string{"b"}},
		{"a <private b with no angle", "a", []string{"b with no angle"}},
		{"a <private>b</private> c <private>d</private>", "a  c", []string{"b", "d"}},
		{"a <private/> b", "a  b", nil},
		{"what stands in `<private>` is never stored", "what stands in `<private>` is never stored", nil},
		{"hide `<private>x</private>` too", "hide `` too", []string{"x"}},
		{"<privateKey>x</privateKey> and <private-key>", "<privateKey>x</privateKey> and <private-key>", nil},
	} {
		kept, parts := Private(c.in)
		if c.in == "a <private/> b" {
			c.kept = kept // an empty tag hides nothing, whether or not it is left
		}
		if kept != c.kept {
			t.Errorf("Private(%q) keeps %q, want %q", c.in, kept, c.kept)
		}
		if diff := cmp.Diff(c.parts, parts); diff != "" {
			t.Errorf("Private(%q) (-want +got):\n%s", c.in, diff)
		}
	}
}

// Text that is not a person's own is only cut where a tag is closed.
func TestPrivateAnywhere(t *testing.T) {
	for in, want := range map[string]string{
		"you said <private>the Hamburg tenant</private>, so":          "you said [redacted: private], so",
		"<PRIVATE a=b>x <private>y</private> z</PRIVATE>.":            "[redacted: private].",
		"the element <private> is documented":                         "the element <private> is documented",
		"between `<private>` and `</private>` nothing is kept":        "between `<private>` and `</private>` nothing is kept",
		"<private>token=abc123def456ghi789</private> token=x":         "[redacted: private] token=x",
		"<private>" + strings.Repeat("<private>", 40) + "a</private>": "<private>" + strings.Repeat("<private>", 39) + "[redacted: private]",
	} {
		got, _ := String(in)
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if again, _ := String(got); again != got {
			t.Errorf("redacting twice changed %q to %q", got, again)
		}
	}
}

func TestHiding(t *testing.T) {
	h := &Hidden{}
	r := (*Redactor)(nil).Hiding(h)
	if got, _ := r.Redact("Use BlueHeron7"); got != "Use BlueHeron7" {
		t.Errorf("nothing is hidden, and there is %q", got)
	}
	h.Add(
		"Our customer Nordwind Logistik will be bought by Seaforth in March, code name BlueHeron7",
		"call Ina",
		"我们的客户将在三月被收购",
	)
	for in, want := range map[string]string{
		"So nordwind logistik will be  bought by Seaforth.":  "So [redacted: private].",
		"Use BlueHeron7 as the name":                         "Use [redacted: private] as the name",
		"Nordwind Logistik pays":                             "[redacted: private] pays",
		"Our customer wants more":                            "Our customer wants more",
		"in March we ship":                                   "in March we ship",
		"call Ina later":                                     "call Ina later", // seven characters
		"记住：我们的客户将在三月被收购。":                                   "记住：[redacted: private]。",
		"code name BlueHeron7 will be bought by Seaforth":    "[redacted: private]",
		"the cache is rebuilt when its version is not ours.": "the cache is rebuilt when its version is not ours.",
	} {
		got, _ := r.Redact(in)
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if again, _ := r.Redact(got); again != got {
			t.Errorf("redacting twice changed %q to %q", got, again)
		}
	}
	short := &Hidden{}
	short.Add("Nordwind", "the red door")
	if got, _ := (*Redactor)(nil).Hiding(short).Redact("NORDWIND asks for the\nred door"); got != "[redacted: private] asks for [redacted: private]" {
		t.Errorf("whole short texts: %q", got)
	}
}
