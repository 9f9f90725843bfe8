package redact

import (
	_ "embed" // for the questions
	"strings"
	"testing"
)

// questions holds a question and an answer a line; what stands between « and » is secret.
//
//go:embed testdata/structure/questions.txt
var questions string

// TestAnswers: what answers a question for a secret is taken out, and nothing else is.
func TestAnswers(t *testing.T) {
	for line := range strings.Lines(questions) {
		question, answer, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok {
			continue
		}
		var want []string
		for i, part := range strings.Split(answer, "«") {
			if i > 0 {
				want = append(want, part[:strings.Index(part, "»")])
			}
		}
		text := strings.NewReplacer("«", "", "»", "").Replace(answer)
		for _, asked := range []string{
			question, "The tables are there.\n\n" + question, "I looked at the settings. " + question,
		} {
			got, secrets := Asks(asked).Answer(text, false)
			if len(want) == 0 && got != text {
				t.Errorf("%q, answered by %q, became %q", asked, text, got)
			}
			for _, secret := range want {
				if strings.Contains(got, secret) || len(secrets) == 0 {
					t.Errorf("%q, answered by %q, became %q (%d)", asked, text, got, Asks(asked))
				}
			}
		}
	}
}

// TestAnswerEnds: the last clause of an answer ends with it, whatever marks stand there.
func TestAnswerEnds(t *testing.T) {
	for _, answer := range []string{"kettle for that ?", "use kettle .", "kettle ", "kettle\n"} {
		if got, secrets := AsksPassword.Answer(answer, false); strings.Contains(got, "kettle") || len(secrets) != 1 {
			t.Errorf("%q became %q, secrets %q", answer, got, secrets)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("Which password?", "use kettle for that ?")
	f.Add("Paste the token:", "admin / \"q8W7e6R5t4Y3u2I1\"!")
	f.Add("What is the code?", "it is 482 913.\nthen go on")
	f.Fuzz(func(t *testing.T, question, answer string) {
		for _, a := range []Asked{Asks(question), AsksPassword, AsksToken, AsksCode} {
			kept, secrets := a.Answer(answer, false)
			if len(secrets) == 0 && kept != answer {
				t.Errorf("%q became %q without a secret", answer, kept)
			}
			for _, secret := range secrets {
				if secret == "" || !strings.Contains(answer, secret) {
					t.Errorf("%q is no part of %q", secret, answer)
				}
			}
		}
	})
}
