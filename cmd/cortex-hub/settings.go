package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/hub/forge"
	"github.com/git-cortex/cortex/hub/postgres"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// settings is the file hub.json.
type settings struct {
	Listen    string          `json:"listen"`    // "" is 127.0.0.1:7420
	Cert      string          `json:"cert"`      // file; needed for an address that is not of this machine alone
	Key       string          `json:"key"`       // file
	Protocols []string        `json:"protocols"` // of git; none is https and ssh
	Forges    []forgeSettings `json:"forges"`

	Briefing []string `json:"briefing"` // names of repositories whose memories may come into briefings of others

	Metrics   string `json:"metrics"`    // name of the file with the token of /metrics; "": no such page
	AuditDays int    `json:"audit_days"` // how long the audit is kept; 0 is 90, and less than 0 is none

	Postgres     string `json:"postgres"`     // name of the file that says how to connect; "" is no database
	Organisation string `json:"organisation"` // whose hub it is of those in the database
}

// forgeSettings say where a forge is.
type forgeSettings struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`   // github, gitlab, gitea, bitbucket; "" is plain git
	URL    string `json:"url"`    // of its API; "" is the usual one
	Secret string `json:"secret"` // name of the file that holds the secret of its webhooks
	User   string `json:"user"`   // as whom the hub itself fetches
	Token  string `json:"token"`  // name of the file that holds the token of the hub itself
}

const maxSettings = 1 << 20

// opened is a hub with what it was opened from.
type opened struct {
	*program
	*hub.Hub
	settings settings
	mirrors  *mirror.Mirror
	store    store
	metrics  string // the token of /metrics
	log      *slog.Logger
	forges   map[string]hub.Forge
	secrets  map[string]string
	own      map[string]mirror.Credential // of the hub itself, by the name of the forge
}

// open opens the hub of the folder.
func (p *program) open(ctx context.Context) (*opened, error) {
	o := &opened{
		program: p, forges: map[string]hub.Forge{}, secrets: map[string]string{},
		own: map[string]mirror.Credential{}, log: p.logger(),
	}
	data, err := atomicfile.Read(filepath.Join(p.store, "hub.json"), maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, answer.WithHint(fmt.Errorf("there is no %s", filepath.Join(p.store, "hub.json")),
			"to begin: mkdir -p "+p.store+` && echo '{"forges": [{"name": "git"}]}' > `+
				filepath.Join(p.store, "hub.json")+
				"\nto use another folder: cortex-hub --store DIR, or CORTEX_HUB_STORE")
	}
	if err == nil {
		err = readSettings(data, &o.settings)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the settings of the hub: %w", err)
	}
	o.mirrors, err = mirror.Open(ctx, filepath.Join(p.store, "mirrors"),
		mirror.Options{Environ: p.environ, Protocols: o.settings.Protocols, Credential: o.credential})
	if err != nil {
		return nil, err
	}
	for _, f := range o.settings.Forges {
		if err := o.addForge(f); err != nil {
			return nil, err
		}
	}
	if o.metrics, err = o.secret(o.settings.Metrics); err != nil {
		return nil, err
	}
	audit, err := o.audit()
	if err != nil {
		return nil, err
	}
	copies := hub.Mirrored{Mirror: o.mirrors}
	if o.store, err = o.openStore(ctx, copies.Read); err != nil {
		return nil, err
	}
	o.Hub, err = hub.Open(o.store, copies, hub.Options{
		Forges: o.forges, Now: p.now, Audit: audit, Briefing: o.settings.Briefing, Log: o.log,
	})
	return o, err
}

// readSettings refuses keys that it does not know: one that is misspelled would be left at its default.
func readSettings(data []byte, to *settings) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// store is where a hub is kept.
type store interface {
	hub.Store
	io.Closer
}

// openStore opens the database of the settings, or the folder where they name none.
func (o *opened) openStore(ctx context.Context, read files.Read) (store, error) {
	if o.settings.Postgres == "" {
		return files.Open(o.program.store, read, o.now)
	}
	dsn, err := o.secret(o.settings.Postgres)
	if err != nil {
		return nil, err
	}
	opt := postgres.Options{DSN: dsn, Organisation: o.settings.Organisation, Now: o.now}
	return postgres.Open(ctx, opt)
}

func (o *opened) addForge(f forgeSettings) error {
	made, err := o.forge(f)
	if err != nil {
		return err
	}
	o.forges[f.Name] = forge.NewCache(made, o.now)
	if o.secrets[f.Name], err = o.secret(f.Secret); err != nil {
		return err
	}
	token, err := o.secret(f.Token)
	o.own[f.Name] = mirror.Credential{User: f.User, Secret: token}
	return err
}

// secret reads a file of the hub's folder that holds a secret; "" where none is named.
func (o *opened) secret(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, err := atomicfile.Read(filepath.Join(o.program.store, name), maxSettings)
	if err != nil {
		return "", fmt.Errorf("reading a secret: %w", err)
	}
	return strings.TrimSpace(string(data)), nil
}

// credential returns the hub's own credential for the address of a repository.
func (o *opened) credential(url string) mirror.Credential {
	for _, r := range o.Repos() {
		if r.URL == url {
			return o.own[r.Forge]
		}
	}
	return mirror.Credential{}
}

func (o *opened) forge(f forgeSettings) (hub.Forge, error) {
	opt := forge.Options{Name: f.Name, URL: f.URL}
	switch f.Kind {
	case "github":
		return forge.GitHub(opt)
	case "gitlab":
		return forge.GitLab(opt)
	case "gitea", "forgejo":
		return forge.Gitea(opt)
	case "bitbucket":
		return forge.Bitbucket(opt)
	case "", "plain":
		return forge.NewPlain(f.Name, o.mirrors), nil
	}
	return nil, fmt.Errorf("reading the settings of the hub: forge %s is of no known kind: %q", f.Name, f.Kind)
}
