// Package lesson reads the lessons, so that tests can hold them to what the workbook's code does.
//
// A fenced block that shows something which can be run is preceded by a comment that says where it
// comes from:
//
//	<!-- example: law.ExampleCounter -->    the output of a Go example of the labs
//	<!-- file: labs/law/counter.go#Add -->  a declaration of a Go file
//	<!-- file: labs/lua/window.lua -->      a whole file
//	<!-- file: ../Makefile#L3-L5 -->        lines of a file
//	<!-- redis -->                          a session with Redis
//	<!-- story: 07/k4/cut-after -->         a cell of the harness's fault map, told; also mermaid
//
// Paths are seen from the lesson, as those of links are.
package lesson

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Lesson is one Markdown file.
type Lesson struct {
	Path    string
	Links   []Link
	Blocks  []Block
	anchors map[string]bool
}

// Link is the destination of a link or an image.
type Link struct {
	Line int // of the paragraph it stands in
	To   string
}

// Block is a fenced block.
type Block struct {
	Line int    // of its first line of text
	Info string // the language behind the fence
	Text string
	// From says where the text comes from, such as "example" and "law.ExampleCounter"; both are
	// empty if nothing says so.
	From, Ref string
}

// Read parses the Markdown file at path.
func Read(path string) (*Lesson, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a lesson: %w", err)
	}
	l := &Lesson{Path: path, anchors: map[string]bool{}}
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	slugs := slugger{}
	line := 1
	err = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if node.Type() == ast.TypeBlock && node.Lines().Len() > 0 {
			line = lineOf(source, node.Lines().At(0).Start)
		}
		switch n := node.(type) {
		case *ast.Heading:
			l.anchors[slugs.next(plain(n, source))] = true
		case *ast.Link:
			l.Links = append(l.Links, Link{line, string(n.Destination)})
		case *ast.Image:
			l.Links = append(l.Links, Link{line, string(n.Destination)})
		case *ast.FencedCodeBlock:
			b := Block{Line: line, Info: string(n.Language(source)), Text: string(n.Lines().Value(source))}
			b.From, b.Ref = origin(n.PreviousSibling(), source)
			l.Blocks = append(l.Blocks, b)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return l, nil
}

// HasAnchor says whether a link to #name leads somewhere.
func (l *Lesson) HasAnchor(name string) bool { return l.anchors[name] }

// origin reads the comment before a block. A comment that is no more than a comment is no origin.
func origin(before ast.Node, source []byte) (from, ref string) {
	comment, is := before.(*ast.HTMLBlock)
	if !is {
		return "", ""
	}
	raw := comment.Lines().Value(source)
	if comment.HasClosure() {
		raw = append(bytes.Clone(raw), comment.ClosureLine.Value(source)...)
	}
	content, is := strings.CutPrefix(strings.TrimSpace(string(raw)), "<!--")
	if !is {
		return "", ""
	}
	content = strings.TrimSpace(strings.TrimSuffix(content, "-->"))
	from, ref, _ = strings.Cut(content, ":")
	if strings.ContainsAny(from, " \n") {
		return "", ""
	}
	return from, strings.TrimSpace(ref)
}

func lineOf(source []byte, offset int) int {
	return 1 + bytes.Count(source[:offset], []byte("\n"))
}

// plain is the text of a heading as it is read, without its markup.
func plain(node ast.Node, source []byte) string {
	var b strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		switch c := child.(type) {
		case *ast.Text:
			b.Write(c.Value(source))
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(plain(child, source))
		}
	}
	return b.String()
}
