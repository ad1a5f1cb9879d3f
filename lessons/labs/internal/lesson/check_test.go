package lesson_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/importer/lessons/labs/internal/lesson"
)

// workbook is a folder with one lesson and the code that it shows.
func workbook(t *testing.T, text string) (*lesson.Lesson, string) {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{
		"one.md":                   text,
		"two.md":                   "# Two\n\n## The `mark`, again\n",
		"labs/a/a.go":              "package a\n\n// F is one.\nfunc F() int { return 1 }\n\ntype T[S any] struct{}\n\n// M does.\nfunc (t *T[S]) M() {}\n\nconst (\n\tA = 1\n\tB = 2\n)\n",
		"labs/a/a.lua":             "return 1\n-- two\n",
		"labs/a/a_test.go":         "package a\n\nfunc ExampleF() {\n\t// Output:\n\t// 1\n\t// 2\n}\n\nfunc ExampleT() {}\n",
		"labs/a/unordered_test.go": "package a\n\nfunc ExampleA() {\n\t// Unordered output:\n\t// 1\n}\n",
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := lesson.Read(filepath.Join(folder, "one.md"))
	if err != nil {
		t.Fatal(err)
	}
	return l, filepath.Join(folder, "labs")
}

func TestLinks(t *testing.T) {
	for link, want := range map[string]string{
		"two.md":                  "",
		"two.md#the-mark-again":   "",
		"#here":                   "",
		"#here-1":                 "",
		"labs":                    "",
		"labs/a/a.go#L3":          "",
		"https://example.com/x#y": "",
		"three.md":                "no such file",
		"two.md#the-mark":         "no such heading",
		"#there":                  "no such heading",
		"#here-2":                 "no such heading",
		"labs/a/a.go#L300":        "no such lines",
		"labs/a/a.go#Missing":     "declares no Missing",
		"two.md#The-mark-again":   "no such heading", // browsers are particular about case
	} {
		l, _ := workbook(t, "# One\n\n## Here\n\n## Here\n\nText\nwith ["+"a link]("+link+").\n")
		wrong := lesson.CheckLinks(l)
		switch {
		case want == "" && len(wrong) > 0:
			t.Errorf("%s: %v", link, wrong)
		case want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0].Error(), want) || !strings.Contains(wrong[0].Error(), "one.md:7: ")):
			t.Errorf("%s: got %v, want line 7 and %q", link, wrong, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	for name, c := range map[string]struct{ comment, info, text, want string }{
		"example":              {"<!-- example: a.ExampleF -->", "", "1\n2\n", ""},
		"other output":         {"<!-- example: a.ExampleF -->", "", "1\n3\n", "not example of a.ExampleF any more"},
		"no such example":      {"<!-- example: a.ExampleG -->", "", "1\n", "no example ExampleG"},
		"no such folder":       {"<!-- example: b.ExampleF -->", "", "1\n", "no example ExampleF"},
		"no folder":            {"<!-- example: ExampleF -->", "", "1\n", "is not folder.ExampleName"},
		"proves nothing":       {"<!-- example: a.ExampleT -->", "", "1\n", "no // Output:"},
		"unordered":            {"<!-- example: a.ExampleA -->", "", "1\n", "no // Output:"},
		"function":             {"<!-- file: labs/a/a.go#F -->", "go", "func F() int { return 1 }\n", ""},
		"function and comment": {"<!-- file: labs/a/a.go#F -->", "go", "// F is one.\nfunc F() int { return 1 }\n", ""},
		"another function":     {"<!-- file: labs/a/a.go#F -->", "go", "func F() int { return 2 }\n", "not file of labs/a/a.go#F any more"},
		"type":                 {"<!-- file: labs/a/a.go#T -->", "go", "type T[S any] struct{}\n", ""},
		"method":               {"<!-- file: labs/a/a.go#T.M -->", "go", "func (t *T[S]) M() {}\n", ""},
		"constants":            {"<!-- file: labs/a/a.go#B -->", "go", "const (\n\tA = 1\n\tB = 2\n)\n", ""},
		"lines":                {"<!-- file: labs/a/a.go#L3-L4 -->", "go", "// F is one.\nfunc F() int { return 1 }\n", ""},
		"whole file":           {"<!-- file: labs/a/a.lua -->", "lua", "return 1\n-- two\n", ""},
		"part of a file":       {"<!-- file: labs/a/a.lua -->", "lua", "return 1\n", "any more"},
		"name in Lua":          {"<!-- file: labs/a/a.lua#f -->", "lua", "return 1\n", "only Go files have names"},
		"no file":              {"<!-- file: labs/b.go -->", "go", "x\n", "no such file"},
		"no comment":           {"", "go", "x := 1\n", "no comment that says where it comes from"},
		"another comment":      {"<!-- see below -->", "lua", "return 1\n", "no comment that says where it comes from"},
		"misspelled":           {"<!-- exmaple: a.ExampleF -->", "", "1\n2\n", "none of example, file, redis"},
		"a command":            {"", "", "make test\n", ""},
		"comment further away": {"<!-- example: a.ExampleF -->\n\ntext\n", "go", "1\n", "no comment"},
	} {
		l, labs := workbook(t, "# One\n\n"+c.comment+"\n```"+c.info+"\n"+c.text+"```\n")
		wrong := lesson.CheckBlocks(l, labs)
		switch {
		case c.want == "" && len(wrong) > 0:
			t.Errorf("%s: %v", name, wrong)
		case c.want != "" && (len(wrong) != 1 || !strings.Contains(wrong[0].Error(), c.want)):
			t.Errorf("%s: got %v, want %q", name, wrong, c.want)
		}
	}
}

func TestBlocksAreRead(t *testing.T) {
	l, _ := workbook(t, "# One\n\n- in a list:\n\n  <!-- redis -->\n  ```redis\n  > PING\n  PONG\n  ```\n\n<!-- example: a.ExampleF -->\n\n```\n1\n```\n")
	want := []lesson.Block{
		{Line: 7, Info: "redis", Text: "> PING\nPONG\n", From: "redis"},
		{Line: 14, Text: "1\n", From: "example", Ref: "a.ExampleF"},
	}
	if diff := cmp.Diff(want, l.Blocks); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
