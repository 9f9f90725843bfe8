package hub

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Asked is a line of the audit: who asked what, and how much they were told. Texts are in it as sums alone.
type Asked struct {
	At           time.Time `json:"at"`
	Forge        string    `json:"forge"`
	User         string    `json:"user"`    // the name that the caller gave; "" for a bare token
	Caller       string    `json:"caller"`  // a sum of the credentials: the same for who used the same
	Request      string    `json:"request"` // "POST /v1/search"
	Query        string    `json:"query"`   // a sum of the text; "" for none
	Status       int       `json:"status"`
	Repositories int       `json:"repositories"` // that were looked into
	Hits         int       `json:"hits"`
}

// Audit says how requests are written down.
type Audit struct {
	Key  []byte        // of the sums; nil: nothing is written down
	Keep time.Duration // 0 is 90 days
}

const (
	keepAudit  = 90 * 24 * time.Hour
	pruneEvery = time.Hour
	auditSum   = 12 // bytes of a sum
)

// AuditSum is the sum by which a text stands in the audit.
func (h *Hub) AuditSum(text string) string {
	if text == "" {
		return ""
	}
	sum := hmac.New(sha256.New, h.opt.Audit.Key)
	sum.Write([]byte(strings.Join(strings.Fields(text), " ")))
	return hex.EncodeToString(sum.Sum(nil)[:auditSum])
}

// Record writes a request down before it is answered. The sums of the credentials and of the query are made here:
// neither is kept.
func (h *Hub) Record(ctx context.Context, c Caller, query string, a Asked) error {
	if h.opt.Audit.Key == nil {
		return nil
	}
	a.At, a.Forge, a.User = h.opt.Now().UTC(), c.Forge, c.User
	a.Caller, a.Query = h.AuditSum(c.Forge+" "+c.User+" "+c.Secret), h.AuditSum(query)
	return While(h.store.Record(ctx, a), "writing the audit")
}

// Asked are the lines of the audit since a time, oldest first.
func (h *Hub) Asked(ctx context.Context, since time.Time) ([]Asked, error) {
	list, err := h.store.Asked(ctx, since)
	return list, While(err, "reading the audit")
}

// prune removes what is older than the audit is kept.
func (h *Hub) prune(ctx context.Context) {
	before := h.opt.Now().Add(-cmp.Or(h.opt.Audit.Keep, keepAudit))
	if err := h.store.Forget(ctx, before); err != nil {
		h.opt.Log.Error("old lines of the audit are not removed", "error", err)
	}
}
