package policy

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/internal/lists"
)

// Written is a config.yaml that has every setting as in c.
func Written(c Config) []byte {
	data, _ := yaml.Marshal(c) // a struct of data has no error
	return data
}

// Values are the values of a config.yaml by their keys, joined by dots. A key that stands
// twice has both values. A file that is no YAML has none.
func Values(data []byte) map[string]string {
	out := map[string]string{}
	var doc yaml.Node
	if yaml.Unmarshal(data, &doc) == nil && len(doc.Content) > 0 {
		flatten("", doc.Content[0], out)
	}
	return out
}

// flatten adds what a node holds. An alias stays a word: no setting has one.
func flatten(key string, n *yaml.Node, into map[string]string) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			if key != "" {
				name = key + "." + name
			}
			flatten(name, n.Content[i+1], into)
		}
		return
	}
	value := n.Value
	if n.Kind == yaml.SequenceNode {
		items := lists.Map(n.Content, func(item *yaml.Node) string { return item.Value })
		value = "[" + strings.Join(items, ", ") + "]"
	}
	if old, twice := into[key]; twice {
		value = old + " and " + value
	}
	into[key] = value
}

// Edited returns a config.yaml with another value for a key, whose parts dots join, or without
// it. What is as by default is left out, and comments stay. It is nil where nothing is left,
// and an error if the value cannot be used.
func Edited(data []byte, key, value string, unset bool) ([]byte, error) {
	var doc, next yaml.Node
	if err := errors.Join(yaml.Unmarshal(data, &doc), yaml.Unmarshal([]byte(value), &next)); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	top := append(doc.Content, &yaml.Node{Kind: yaml.MappingNode})[0]
	put(top, strings.Split(key, "."), changed(key, &next, unset))
	if len(top.Content) == 0 {
		return nil, nil
	}
	doc.Kind, doc.Content = yaml.DocumentNode, []*yaml.Node{top}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return nil, err
	}
	_, err := Parse(out.Bytes())
	return out.Bytes(), err
}

// changed is the value in a document, nil for none or that which holds by default.
func changed(key string, doc *yaml.Node, unset bool) *yaml.Node {
	if unset || len(doc.Content) == 0 {
		return nil
	}
	own := map[string]string{}
	flatten(key, doc.Content[0], own)
	if own[key] == Values(Written(Default()))[key] {
		return nil
	}
	return doc.Content[0]
}

// put gives a key below a mapping a value; nil takes it away, and the mappings that are then empty.
func put(m *yaml.Node, key []string, value *yaml.Node) {
	at := place(m, key[0])
	if len(key) > 1 {
		put(m.Content[at+1], key[1:], value)
		value = m.Content[at+1]
	}
	if value == nil || value.Kind == yaml.MappingNode && len(value.Content) == 0 {
		m.Content = slices.Delete(m.Content, at, at+2)
		return
	}
	m.Content[at+1] = value
}

// place is where a name stands in a mapping, which gets it if it is not there.
func place(m *yaml.Node, name string) int {
	at := 0
	for at < len(m.Content) && m.Content[at].Value != name {
		at += 2
	}
	if at == len(m.Content) {
		m.Content = append(m.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name},
			&yaml.Node{Kind: yaml.MappingNode})
	}
	return at
}
