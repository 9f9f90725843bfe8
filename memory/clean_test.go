package memory_test

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                                  "",
		"plain\n\ttext":                     "plain\n\ttext",
		"a\x1b[31mred\x1b[0m\a":             "a␛[31mred␛[0m␇",
		"a\x00b\x7f":                        "a␀b␡",
		"one\r\ntwo\rthree\r":               "one\ntwo␍three␍",
		"\u009b31m\u0085":                   "\ufffd31m\ufffd",
		"bad \xff\xfe":                      "bad \ufffd\ufffd",
		"a\u2028b":                          "a b",
		"\u202etxt.exe\u202c \u2066x\u2069": "txt.exe x",
		"in\u200bvis\u2060i\u00adble\ufeff": "invisible",
		"tag\U000e0041\U000e007f":           "tag",
		"Größe – 10 µs “ok” 日本":             "Größe – 10 µs “ok” 日本",
		"👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3":    "👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3",
		"❤\ufe0f\u200d🔥":                    "❤\ufe0f\u200d🔥",
		"a\u200d\u200d\ufe0fb":              "ab",
		"❤\u200d\u200d\ufe0f\ufe0f":         "❤\u200d",
		"क्\u200dष":                         "क्\u200dष",
	} {
		if got := memory.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDefangBreaksHarnessTags(t *testing.T) {
	for _, tag := range []string{
		"<system-reminder>", "</system-reminder>", "< / System_Reminder >", "<SYSTEM>", "<system>", "<system_notification>",
		"<command-name>", "<command-message>", "<command-args>", "<local-command-stdout>", "<local-command-caveat>",
		"<bash-input>", "<bash-stdout>", "<bash-stderr>", "<task-notification>", "<ide_opened_file>", "<ide_selection>",
		"<user_query>", "<user-prompt-submit-hook>", "<user_instructions>", "<environment_context>", "<INSTRUCTIONS>",
		"<permissions-instructions>", "<collaboration_mode>", "<turn_aborted>", "<tool_use_error>", "<tool_result>", "<tool_call>",
		"<function_calls>", "<function_results>", "<invoke name=\"x\">", "<thinking>", "<assistant>", "<human>",
		"<claude-context>", "<cortex-briefing>", "<memory>", "<!-- hidden -->", "<|im_start|>", "<|endoftext|>", "<｜User｜>",
		"<sys\u200btem-reminder>", "<\nsystem-reminder>", "<\u00a0system-reminder>", "<system-reminder\x00>", "<end_of_turn>",
		"<system-" + strings.Repeat("x", 500) + ">",
	} {
		got := memory.Defang("before " + tag + " after")
		if strings.Contains(got, "<") || !strings.Contains(got, "‹") {
			t.Errorf("%q stays %q", tag, got)
		}
	}
	if got, want := memory.Defang("<<SYS>>"), "<‹SYS>>"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestDefangKeepsTheRest(t *testing.T) {
	for _, s := range []string{
		"", "plain", "a < b && c > d", "a <= b", "x<<2", "Map<K, V>", "Vec<T>", "Option<System>", "Array<User>", "Promise<void>",
		"<T extends Foo>", "<div class=\"x\">text</div>", "<br/>", "<details><summary>more</summary></details>", "<User name={n} />",
		"<System.Text>", "git <command> [<args>]", "ssh <user>@<host>", "<session-id>", "<task-id>", "<branch_name>", "<tool>",
		"<toolbar>", "<systemd>", "<functional>", "<idea>", "a <| b |> c", "if (a<b|c>d)", "<https://example.org>", "<ann@example.org>",
		"#include <stdio.h>", "cat <<EOF", "ends in <", "<my-element>", "<s>struck</s>",
	} {
		if got := memory.Defang(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		"# Title\n\nA *b* **c** `d`.\n":  "Title\nA b c d.",
		"- one\n- two\n  three\n":        "one\ntwo three",
		"1. a\n2. b\n":                   "a\nb",
		"> quoted\n> more\n":             "quoted more",
		"[text](https://example.org/)":   "text",
		"![alt](a.png) <https://x.org>":  "alt https://x.org",
		"```go\nx := 1\n\ny := 2\n```\n": "x := 1\n\ny := 2",
		"a\\*b \\# &lt;c&gt; &#64;":      "a*b # <c> @",
		"`a\\*b &lt;`":                   "a\\*b &lt;",
		"Option<T> and Map<K, V>":        "Option<T> and Map<K, V>",
		"<div>\ninside\n</div>\n":        "<div>\ninside\n</div>",
		"line\\\nbreak  \nend":           "line break end",
		"a\u202eb":                       "ab",
		strings.Repeat(">", 50) + "x":    strings.Repeat(">", 50) + "x",
		strings.Repeat("[", 300) + "x":   strings.Repeat("[", 300) + "x",
		"- a" + strings.Repeat("\n", 12): "- a" + strings.Repeat("\n", 12),
	} {
		if got := memory.Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
	long := strings.Repeat("*word* ", 3000)
	if memory.Plain(long) != long {
		t.Error("a text over the limit is parsed")
	}
}

// TestEightAtATime puts every byte, and characters of several, at every place of
// words of eight.
func TestEightAtATime(t *testing.T) {
	for at := range 20 {
		for c := range 256 {
			b := []byte(strings.Repeat("a", 20))
			b[at] = byte(c)
			want := c >= ' ' && c <= '~'
			if got := memory.Printable(string(b)); got != want {
				t.Errorf("byte %#x at %d: printable is %t", c, at, got)
			}
			if got, want := memory.Clean(string(b)) == string(b), want || c == '\n' || c == '\t'; got != want {
				t.Errorf("byte %#x at %d: clean is %t", c, at, got)
			}
		}
		for _, hidden := range []string{"\u200b", "\u202e", "\U000e0041", "\u2028", "\u0085"} {
			text := strings.Repeat("a", at) + hidden + strings.Repeat("b", 20-at)
			if got := string(memory.Visible([]byte(text))); got != memory.Clean(text) {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
}
