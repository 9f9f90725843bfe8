package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// image is a folder in memory, by paths within it.
type image map[string]imageFile

type imageFile struct {
	mode fs.FileMode
	data []byte
}

// imageOf reads a folder that has no links in it.
func imageOf(dir string) (image, error) {
	found := image{}
	return found, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		f := imageFile{mode: info.Mode()}
		if !d.IsDir() {
			f.data, err = os.ReadFile(path)
		}
		found[rel] = f
		return err
	})
}

// write makes the folder.
func (i image) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for rel, f := range i {
		path := filepath.Join(dir, rel)
		if f.mode.IsDir() {
			if err := os.MkdirAll(path, 0o777); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.mode.Perm()); err != nil {
			return err
		}
	}
	return nil
}

// imageMade is the image of a new folder after commands have run in it, each in
// the environment of [hermeticGit].
func imageMade(commands ...[]string) (image, error) {
	top, err := os.MkdirTemp("", "image-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(top)
	dir := filepath.Join(top, "repo")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	for _, words := range commands {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH")}
		for key, value := range hermeticGit(top) {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			return nil, fmt.Errorf("%q: %w %s", words, err, out)
		}
	}
	return imageOf(dir)
}

// startedImage is a repository on main with one commit, without files, and cortex
// set up. Making one takes thirty processes; many tests begin with it.
var startedImage = sync.OnceValues(func() (image, error) {
	return imageMade(
		[]string{"git", "init", "-q", "-b", "main", "."},
		[]string{"git", "config", "maintenance.auto", "false"},
		[]string{"git", "commit", "-q", "--allow-empty", "-m", "start"},
		[]string{"cortex", "init", "-q"},
	)
})

// repoImage is the repository of the script command repo. No commit of it starts
// maintenance, which has nothing to do there and takes a process each time.
var repoImage = sync.OnceValues(func() (image, error) {
	return imageMade(repoMade()...)
})

// readyImage is the same with cortex set up.
var readyImage = sync.OnceValues(func() (image, error) {
	return imageMade(append(repoMade(), []string{"cortex", "init", "-q"})...)
})

func repoMade() [][]string {
	return [][]string{
		{"git", "init", "-q", "-b", "main", "."},
		{"git", "config", "maintenance.auto", "false"},
		{"sh", "-c", "echo package main >main.go"},
		{"git", "add", "main.go"},
		{"git", "commit", "-q", "-m", "start"},
	}
}
