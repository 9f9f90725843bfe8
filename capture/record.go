package capture

import "errors"

func sessionPath(*Session) string           { return "" }
func formatSession(*Session) []byte         { return nil }
func parseSession([]byte) (*Session, error) { return nil, errors.New("todo") }
