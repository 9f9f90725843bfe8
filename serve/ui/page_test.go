package ui

import "testing"

// TestSentence: an error is shown as a sentence, whatever it begins with.
func TestSentence(t *testing.T) {
	for in, want := range map[string]string{
		"nothing was changed": "Nothing was changed.", "été: no such layer": "Été: no such layer.", "“x” waits": "“x” waits.", "": "",
	} {
		if got := sentence(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
