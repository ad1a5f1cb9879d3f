package lesson

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// shown are the languages whose blocks have to say where they come from: a reader takes them for
// something that was run.
var shown = map[string]bool{"go": true, "lua": true, "redis": true}

// CheckLinks says which relative links of the lesson lead nowhere.
func CheckLinks(l *Lesson) []error {
	var wrong []error
	for _, link := range l.Links {
		if err := follow(l, link.To); err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: link to %s: %w", l.Path, link.Line, link.To, err))
		}
	}
	return wrong
}

func follow(l *Lesson, to string) error {
	u, err := url.Parse(to)
	if err != nil {
		return err
	}
	if u.IsAbs() {
		return nil // what others have on the web is no part of this workbook
	}
	target := l
	if u.Path != "" {
		path := filepath.Join(filepath.Dir(l.Path), filepath.FromSlash(u.Path))
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("there is no such file")
		}
		if u.Fragment == "" {
			return nil
		}
		if filepath.Ext(path) != ".md" {
			_, err := Part(path + "#" + u.Fragment)
			return err
		}
		if target, err = Read(path); err != nil {
			return err
		}
	}
	if !target.HasAnchor(u.Fragment) {
		return fmt.Errorf("%s has no such heading", filepath.Base(target.Path))
	}
	return nil
}

// CheckBlocks says which blocks of the lesson differ from what they are taken from. Examples are
// those of the folder labs.
func CheckBlocks(l *Lesson, labs string) []error {
	var wrong []error
	for _, block := range l.Blocks {
		if err := compare(l, block, labs); err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", l.Path, block.Line, err))
		}
	}
	return wrong
}

func compare(l *Lesson, block Block, labs string) error {
	var texts []string
	switch block.From {
	case "":
		if shown[block.Info] {
			return fmt.Errorf("a block of %s with no comment that says where it comes from", block.Info)
		}
		return nil
	case "redis": // held where there is a Redis
		return nil
	case "story", "mermaid": // held by the harness's faultmap
		return nil
	case "example":
		output, err := Output(labs, block.Ref)
		if err != nil {
			return err
		}
		texts = []string{output}
	case "file":
		path := filepath.Join(filepath.Dir(l.Path), filepath.FromSlash(block.Ref))
		var err error
		if texts, err = Part(path); err != nil {
			return err
		}
	default:
		return fmt.Errorf("<!-- %s --> is none of example, file, redis, story, mermaid", block.From)
	}
	for _, text := range texts {
		if strings.TrimSpace(text) == strings.TrimSpace(block.Text) {
			return nil
		}
	}
	return fmt.Errorf("the block is not %s of %s any more; that is now:\n%s", block.From, block.Ref, texts[len(texts)-1])
}
