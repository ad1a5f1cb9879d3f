package isolate

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// archiveOf packs headers; a regular file holds its own name.
func archiveOf(t *testing.T, headers ...tar.Header) *bytes.Buffer {
	t.Helper()
	var content bytes.Buffer
	archive := tar.NewWriter(&content)
	for _, h := range headers {
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(h.Name))
		}
		if err := archive.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := archive.Write([]byte(h.Name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return &content
}

// Whatever an archive holds, nothing is written outside of its folder.
func TestUnpackStaysInside(t *testing.T) {
	file := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o4777} }
	link := func(name, to string) tar.Header {
		return tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: to, Mode: 0o777}
	}
	for _, c := range []struct {
		name    string
		headers []tar.Header
		says    string // empty: it is unpacked
	}{
		{"plain", []tar.Header{{Typeflag: tar.TypeDir, Name: "bin", Mode: 0}, file("bin/tool"), link("tool", "bin/tool")}, ""},
		{"a path that leads out", []tar.Header{file("../out")}, "no path in it"},
		{"an absolute path", []tar.Header{file("/out")}, "no path in it"},
		{"through a link", []tar.Header{link("up", ".."), file("up/out")}, "escapes"},
		{"over a link", []tar.Header{link("out", "../out"), file("out")}, "exists"},
		{"a device", []tar.Header{{Typeflag: tar.TypeChar, Name: "null", Mode: 0o666}}, "no regular file"},
		{"a hard link", []tar.Header{{Typeflag: tar.TypeLink, Name: "passwd", Linkname: "/etc/passwd"}}, "no regular file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := t.TempDir()
			to := filepath.Join(above, "to")
			if err := os.Mkdir(to, 0o755); err != nil {
				t.Fatal(err)
			}
			err := unpack(archiveOf(t, c.headers...), to)
			if (err == nil) != (c.says == "") || (err != nil && !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%v, want %q", err, c.says)
			}
			if entries, _ := os.ReadDir(above); len(entries) != 1 {
				t.Errorf("beside it lies: %v", entries)
			}
			if info, err := os.Stat(filepath.Join(to, "bin/tool")); c.says == "" && (err != nil || info.Mode() != 0o755) {
				t.Errorf("%v, %v", info, err)
			}
		})
	}
	if err := unpack(strings.NewReader(strings.Repeat("no archive", 200)), t.TempDir()); err == nil {
		t.Error("what is no archive was unpacked")
	}
}

func TestIsStatic(t *testing.T) {
	if _, err := isStatic("unpack_test.go"); err == nil {
		t.Error("a text is a program")
	}
	if static, err := isStatic("/proc/self/exe"); err != nil {
		t.Errorf("%v, %v", static, err)
	}
}
