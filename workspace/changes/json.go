package changes

// MarshalJSON writes the memory as it is now, the fields that differ, and how it was.
func (c Change) MarshalJSON() ([]byte, error) {
	o := c.Now.Object(true)
	o.Add("fields", c.Fields)
	o.Add("was", c.Was)
	return o.End()
}

// MarshalJSON writes the memory without its text, and what made it so.
func (t Turned) MarshalJSON() ([]byte, error) {
	o := t.Entry.Object(false)
	o.Add("by", t.By)
	return o.End()
}

// MarshalJSON writes the memory without its text, and the code that is not what it was.
func (s Stale) MarshalJSON() ([]byte, error) {
	o := s.Entry.Object(false)
	o.Add("code", s.Code)
	return o.End()
}
