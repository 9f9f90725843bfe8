package ui

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"net/http"
	"path"
)

// What stands in assets, and where it is from, is listed in assets/README.md. What others wrote is
// compressed, because it would be a hundredth of the program.
//
//go:embed assets/*.js assets/*.css assets/*.svg assets/*.gz
var assets embed.FS

// asset returns a file of assets as browsers read it.
func asset(name string) ([]byte, error) {
	packed, err := assets.ReadFile("assets/" + name + ".gz")
	if err != nil {
		return assets.ReadFile("assets/" + name)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// serveAsset answers with a file of ours.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := asset(name)
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
