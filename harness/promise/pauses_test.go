package promise

import (
	"testing"
	"time"

	"example.com/importer/harness/world/program"
)

// told are the rests of 16 jobs; each attempt has its pause, and how much longer it took.
func told(pause func(attempt, job int) time.Duration, longer time.Duration) [][]rest {
	rests := make([][]rest, 3)
	for i := range rests {
		for job := range pausedJobs {
			p := pause(i, job)
			rests[i] = append(rests[i], rest{p, p + longer})
		}
	}
	return rests
}

// What is right is right on a slow machine too, where every job is taken late.
func TestPausesAreJudged(t *testing.T) {
	right := func(attempt, job int) time.Duration {
		return time.Duration(job) * (pauseBound << attempt) / pausedJobs
	}
	for name, c := range map[string]struct {
		rests [][]rest
		want  string
	}{
		"right":               {told(right, 2*time.Millisecond), ""},
		"right and very slow": {told(right, time.Second), ""},
		"no growth":           {told(func(_, job int) time.Duration { return right(0, job) }, 0), "pauses that the lines job_retry tell of"},
		"no jitter":           {told(func(attempt, _ int) time.Duration { return pauseBound << attempt }, 0), "pauses of jobs that failed together"},
		"none":                {told(func(int, int) time.Duration { return 0 }, 0), "pauses that the lines job_retry tell of"},
		"told and not made":   {untrue(right), "pauses between attempts"},
		"not told, right":     {silent(told(right, 2*time.Millisecond)), ""},
		"not told, no growth": {silent(told(func(_, job int) time.Duration { return right(0, job) }, 0)), "pauses between attempts"},
	} {
		var saw Saw
		saw.pauses(c.rests)
		got := ""
		if len(saw.Findings) > 0 {
			got = saw.Findings[0].About
		}
		if got != c.want {
			t.Errorf("%s: the finding is about %q, want %q", name, got, c.want)
		}
	}
}

// untrue are rests that took a tenth of what is told.
func untrue(pause func(attempt, job int) time.Duration) [][]rest {
	rests := told(pause, 0)
	for _, list := range rests {
		for i := range list {
			list[i].took /= 10
		}
	}
	return rests
}

// silent are rests of which the program tells nothing.
func silent(rests [][]rest) [][]rest {
	for _, list := range rests {
		for i := range list {
			list[i].told = -1
		}
	}
	return rests
}

func TestRestsAreReadFromTheLog(t *testing.T) {
	at := time.Unix(0, 0)
	line := func(event, pause string, after time.Duration) program.Line {
		return program.Line{Event: event, JobID: "a", At: at.Add(after), Fields: map[string]any{"pause": pause}}
	}
	got := restsOf([]program.Line{
		line("job_taken", "", 0), line("job_retry", "10ms", time.Millisecond), line("job_taken", "", 12*time.Millisecond),
		{Event: "job_taken", JobID: "b"},
		line("job_retry", "soon", 13*time.Millisecond), line("job_taken", "", 20*time.Millisecond),
	}, "a")
	want := []rest{{10 * time.Millisecond, 11 * time.Millisecond}, {-1, 7 * time.Millisecond}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
}
