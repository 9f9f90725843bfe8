package policy

import "testing"

func TestReviews(t *testing.T) {
	for name, c := range map[string]struct {
		reviewers, addresses []string
		want                 bool
	}{
		"everybody":        {nil, []string{"carol@example.com"}, true},
		"nobody is known":  {[]string{"ann@example.com"}, []string{""}, false},
		"by address":       {[]string{"Ann@Example.com"}, []string{"ann@example.com"}, true},
		"one of two":       {[]string{"ann@example.com"}, []string{"noreply@github.com", "ann@example.com"}, true},
		"by name":          {[]string{"@Bob"}, []string{"7+bob@users.noreply.github.com"}, true},
		"a name elsewhere": {[]string{"@bob"}, []string{"bob@example.com"}, false},
		"part of another":  {[]string{"ann@example.com"}, []string{"joann@example.com"}, false},
	} {
		if got := (&Config{Reviewers: c.reviewers}).Reviews(c.addresses...); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	for _, bad := range []string{"reviewers: [ann]", "reviewers: ['Ann <ann@example.com>']"} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
