package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// toolBound is how long a tool may take to say what it is.
const toolBound = 20 * time.Second

func goTool(ctx context.Context, m Machine) []Finding {
	f := Finding{Thing: "Go", State: NoRun, Do: "install Go " + m.GoMin + " or newer, from your system's packages or https://go.dev/dl"}
	if _, err := exec.LookPath("go"); err != nil {
		f.Seen = "there is no go on PATH"
		return []Finding{f}
	}
	version, err := goEnv(ctx, "GOVERSION")
	switch {
	case err != nil:
		f.Seen = "go does not work: " + err.Error()
	case older(version, m.GoMin):
		f.Seen = fmt.Sprintf("%s is too old", version)
	default:
		f.State, f.Seen, f.Do = OK, version, ""
	}
	return []Finding{f}
}

// older compares versions such as go1.26.8. One that is no release, of a development
// tree, is taken for new.
func older(version, least string) bool {
	have := "v" + strings.TrimPrefix(strings.Fields(version + " ?")[0], "go")
	return semver.IsValid(have) && semver.Compare(have, "v"+least) < 0
}

func raceDetector(ctx context.Context, _ Machine) []Finding {
	f := Finding{Thing: "race detector", State: Note, Do: "install a C compiler to have it in `make test`; nothing else needs it"}
	answer, err := goEnv(ctx, "CGO_ENABLED", "CC")
	if err != nil {
		return nil // there is no Go, which has been told
	}
	enabled, compiler, _ := strings.Cut(answer, "\n")
	compiler = strings.TrimSpace(compiler)
	words := strings.Fields(compiler)
	switch {
	case enabled != "1":
		f.Seen = "cgo is off (CGO_ENABLED=" + enabled + ")"
	case len(words) == 0:
		f.Seen = "go knows no C compiler"
	default:
		if _, err := exec.LookPath(words[0]); err != nil {
			f.Seen = "there is no C compiler " + words[0]
			break
		}
		f.State, f.Seen, f.Do = OK, "cgo with "+compiler, ""
	}
	return []Finding{f}
}

// tools are those that the Makefile and the lessons call.
func tools(context.Context, Machine) []Finding {
	var missing []string
	for _, name := range []string{"git", "make", "diff", "curl"} {
		if _, err := exec.LookPath(name); err != nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return []Finding{{"tools", Note, "not here: " + strings.Join(missing, ", "), "install them; the lessons use them"}}
	}
	return []Finding{{"tools", OK, "git, make, diff, curl", ""}}
}

// goEnv asks the Go that is installed, and not one that it would fetch for the
// workbook: stages are built by the former.
func goEnv(ctx context.Context, names ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, toolBound)
	defer cancel()
	command := exec.CommandContext(ctx, "go", append([]string{"env"}, names...)...)
	command.Dir = os.TempDir()
	command.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
	command.WaitDelay = time.Second
	answer, err := command.Output()
	return strings.TrimSpace(string(answer)), err
}
