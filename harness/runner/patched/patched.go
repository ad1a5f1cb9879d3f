// Package patched gives tests a stage that was changed by a patch: wrong on purpose, or
// right in another way.
package patched

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/importer/harness/matrix"
)

// Workbook copies a stage out of the workbook at from into a workbook of its own, applies
// the patch, and returns the new one's folder, which goes with the test.
func Workbook(t testing.TB, from string, stage matrix.Stage, patch string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "stages", stage.Folder())
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(from, "stages", stage.Folder()))); err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(patch)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "git", "apply", "--recount", absolute)
	command.Dir = dir
	// Outside of any repository: inside one, git would look for the files there.
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("apply %s (is the stage as it was committed?): %v\n%s", patch, err, output)
	}
	return root
}
