package results

// RuleOnly is what may be told when a grade's data are to stay hidden: which checks held,
// which rules were broken and where those are explained. Data, evidence, what was
// expected and seen, the programs' words and the seed are left out.
func RuleOnly(r Results) Results {
	r.Seed = 0
	r.Hidden = true
	stages := r.Stages
	r.Stages = nil
	for _, s := range stages {
		if s.Kind != BuildFailure { // a compiler has seen no data
			s.Failure = ""
		}
		s.Replay = ""
		cells, promises := s.Cells, s.Promises
		s.Cells, s.Promises = nil, nil
		for _, c := range cells {
			runs := c.Runs
			c.Runs = nil
			for _, run := range runs {
				c.Runs = append(c.Runs, Run{Data: run.Data, Verdict: run.Verdict, Findings: rulesOf(run.Findings), Millis: run.Millis})
			}
			s.Cells = append(s.Cells, c)
		}
		for _, p := range promises {
			p.Reason, p.Evidence, p.Logs, p.Again, p.Findings = "", nil, nil, "", rulesOf(p.Findings)
			s.Promises = append(s.Promises, p)
		}
		r.Stages = append(r.Stages, s)
	}
	return r
}

// rulesOf keeps of findings the rules that they break, each kind of failure once.
func rulesOf(findings []Finding) []Finding {
	var rules []Finding
	seen := map[Finding]bool{}
	for _, f := range findings {
		f = Finding{Rule: f.Rule, Lesson: f.Lesson, Kind: f.Kind}
		if !seen[f] {
			seen[f] = true
			rules = append(rules, f)
		}
	}
	return rules
}
