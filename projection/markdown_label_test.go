package projection

import "testing"

// TestQuotedLabels: lines that name what they say are paragraphs of their own, and stay as they are in code.
func TestQuotedLabels(t *testing.T) {
	for text, want := range map[string]string{
		"Question: which?\nAnswer: this\nNot chosen: that": "> Question: which?\n>\n> Answer: this\n>\n> Not chosen: that\n",
		"Question: which?\n\nAnswer: this":                 "> Question: which?\n>\n> Answer: this\n",
		"one\ntwo: three":                                  "> one\n> two: three\n",
		"```\nA: 1\nB: 2\n```":                             "> ```\n> A: 1\n> B: 2\n> ```\n",
	} {
		if got := quoted(text); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
	}
}
