package ui

import (
	"embed"
	"net/http"
	"path"
)

// The pages load nothing that others wrote.
//
//go:embed assets/*.js assets/*.css assets/*.svg
var assets embed.FS

// serveAsset answers with a file of ours.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		refuse(w, http.StatusNotFound, "There is no such file.", "")
		return
	}
	kind := map[string]string{
		".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".svg": "image/svg+xml",
	}[path.Ext(name)]
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(data)
}
