package ui

import (
	"regexp"
	"strings"
	"testing"
)

// TestMarkdown: what a memory says is laid out, and nothing in it acts.
func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"plain *em* **strong** `code`": "<p>plain <em>em</em> <strong>strong</strong> <code>code</code></p>\n",
		"# One\n\n## Two":              "<h3>One</h3>\n<h4>Two</h4>\n",
		"- a\n- b":                     "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"1. a\n2. b":                   "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n",
		"```go\nif a < b {}\n```":      "<pre><code>if a &lt; b {}\n</code></pre>\n",
		"> quoted":                     "<blockquote><p>quoted</p>\n</blockquote>\n",
		"a\nb  \nc":                    "<p>a\nb<br>c</p>\n",
		"Question: a\nAnswer: b\nand c\nNot chosen: d": "<p>Question: a<br>\nAnswer: b\nand c<br>\nNot chosen: d</p>\n",
		"---":                                  "<hr>\n",
		"<script>alert(1)</script>":            "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
		"<img src=x onerror=alert(1)>":         "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n",
		"[x](https://a.example/?q=\"1\")":      `<p><a rel="noopener noreferrer nofollow" target="_blank" href="https://a.example/?q=&#34;1&#34;">x</a></p>` + "\n",
		"[x](https://a.example/p)":             `<p><a rel="noopener noreferrer nofollow" target="_blank" href="https://a.example/p">x</a></p>` + "\n",
		"[x](javascript:alert(1))":             "<p>x (javascript:alert(1))</p>\n",
		"[x](JaVaScRiPt:alert(1))":             "<p>x (JaVaScRiPt:alert(1))</p>\n",
		"[x](data:text/html,<script>)":         "<p>x (data:text/html,&lt;script&gt;)</p>\n",
		"[x](//a.example)":                     "<p>x (//a.example)</p>\n",
		"[x](/r/0/review)":                     "<p>x (/r/0/review)</p>\n",
		"<javascript:alert(1)>":                "<p>javascript:alert(1)</p>\n",
		"![track me](https://a.example/p.png)": "<p>[image: track me (https://a.example/p.png)]</p>\n",
		"<https://a.example>":                  `<p><a rel="noopener noreferrer nofollow" target="_blank" href="https://a.example">https://a.example</a></p>` + "\n",
		"&lt;b&gt; &#x3c;script&#x3e;":         "<p>&lt;b&gt; &lt;script&gt;</p>\n",
		`2 \* 3 \<b`:                           "<p>2 * 3 &lt;b</p>\n",
		"`\\*&lt;`":                            "<p><code>\\*&amp;lt;</code></p>\n",
	} {
		if got := string(markdown(in)); got != want {
			t.Errorf("%q:\n got %q\nwant %q", in, got, want)
		}
	}
}

// TestNothingHidden: an agent is told a memory as it is written, so the person who
// accepts it sees all of it.
func TestNothingHidden(t *testing.T) {
	const word = "curl-attacker"
	for _, in := range []string{
		"```sh " + word + "\nls\n```", "```" + word + "\nls\n```", "```\nls\n```\n" + word,
		"[x](https://a.example '" + word + "')", "[x](" + word + ")", "[](" + word + ")", "[](https://a.example/" + word + ")",
		"![](" + word + ")", "![a](b '" + word + "')", "[" + word + "]: /x", "[x]: /y '" + word + "'\n\n[x]",
		"<!-- " + word + " -->", "<b title=" + word + ">", "<" + word + ":x>",
		strings.Repeat("> ", 40) + word, strings.Repeat("- ", 40) + word, strings.Repeat("*a ", 40) + word + strings.Repeat("*", 40),
		strings.Repeat("> ", 20) + strings.Repeat("*_", 10) + word + strings.Repeat("_*", 10),
	} {
		seen := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(markdown(in)), "")
		if !strings.Contains(seen, word) {
			t.Errorf("%q is seen as %q", in, seen)
		}
	}
}

// ours are the tags that markdown writes.
var ours = regexp.MustCompile(`^</?(p|h[3-6]|ul|ol|li|blockquote|hr|br|pre|code|em|strong|a)>|^<a rel="noopener noreferrer nofollow" target="_blank" href="https?://[^"<>]*">`)

// onlyOurs says where a text has a tag that markdown does not write; "" for nowhere.
func onlyOurs(out string) string {
	for i := strings.IndexByte(out, '<'); i >= 0; {
		tag := ours.FindString(out[i:])
		if tag == "" {
			return out[i:min(len(out), i+60)]
		}
		out = out[i+len(tag):]
		i = strings.IndexByte(out, '<')
	}
	return ""
}

// TestLongTexts: a text of any length is shown within a bound, as it stands.
func TestLongTexts(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("x", 1<<20), strings.Repeat("<b>", 1<<17), strings.Repeat("> ", 4000), strings.Repeat("[", 8000),
		strings.Repeat("- ", 4000) + "x", strings.Repeat("*a", 4000), strings.Repeat("`", 8000),
	} {
		out := string(markdown(s))
		if len(out) > 6*plainLimit {
			t.Errorf("%.10q… became %d bytes", s, len(out))
		}
		if bad := onlyOurs(out); bad != "" {
			t.Errorf("%.10q… holds %q", s, bad)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"[a](javascript:b)", "<script>", "![a](b \"c\")", "- `x\n  - [y]: z", "[a]: javascript:x\n\n[a]", "**a*b", "> 1. ```\n<a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if bad := onlyOurs(string(markdown(s))); bad != "" {
			t.Errorf("%q holds %q", s, bad)
		}
	})
}
