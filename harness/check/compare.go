package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/importer/harness/dataset"
	"example.com/importer/harness/history"
	"example.com/importer/harness/matrix"
)

func (c *comparison) stock() {
	data, seen := c.story.Data, c.step.State.Stock
	n := len(c.want.Applied)
	expected := data.After(n)
	if len(c.step.State.Unreadable) > 0 {
		c.differs("stock", matrix.OneResult, "values as agreed", fmt.Sprint(c.step.State.Unreadable))
	}
	if maps.Equal(seen, expected) {
		return
	}
	text := data.Line(seen)
	if times, whole := data.Arrivals(seen); whole {
		text += ", " + arrivals(times)
	} else {
		text += ", which no whole number of arrivals gives"
	}
	c.differs("stock", c.want.Rule, data.Line(expected)+", "+arrivals(n), text)
}

// titles compares the titles of what is in stock: numbers can be right and the words
// beside them damaged on the way.
func (c *comparison) titles() {
	seen := c.step.State.Titles
	for _, sku := range slices.Sorted(maps.Keys(seen)) {
		if want := c.story.Data.Title(sku); want != "" && seen[sku] != want {
			c.differs("title of "+sku, matrix.NewBatchAdds, want, seen[sku])
		}
	}
}

func (c *comparison) generation() {
	if n := len(c.want.Applied); c.step.State.Generation != n {
		c.differs("generation", matrix.OneResult, fmt.Sprint(n), fmt.Sprint(c.step.State.Generation))
	}
}

func (c *comparison) marks() {
	seen := c.step.State.Marks
	for _, batch := range c.want.Marks() {
		mark, ok := seen[batch]
		if !ok {
			c.differs("mark", matrix.OneResult, "importer:done:"+batch, "no such key")
			continue
		}
		want := history.Result{Imported: len(c.story.Data.Shipment), BatchID: batch}
		if mark.Imported != want.Imported || mark.BatchID != want.BatchID {
			c.differs("mark", matrix.MarkHoldsResult, resultText(&want), mark.Raw)
		}
		if mark.Lifetime {
			c.differs("mark", matrix.MarkForEver, "no lifetime", "importer:done:"+batch+" has a lifetime")
		}
	}
	for _, batch := range slices.Sorted(maps.Keys(seen)) {
		if !slices.Contains(c.want.Marks(), batch) {
			c.differs("mark", matrix.OneResult, "none for a batch that has not been applied", "importer:done:"+batch)
		}
	}
}

// shop compares what the shop shows with what Redis holds: not with what should
// be there, which the stock has been compared with already.
func (c *comparison) shop() {
	shown := c.step.Shop
	if shown == nil {
		return
	}
	if shown.Generation != c.step.State.Generation || !maps.Equal(shown.Stock, c.step.State.Stock) {
		view := func(stock dataset.Stock, generation int) string {
			return fmt.Sprintf("%s of generation %d", c.story.Data.Line(stock), generation)
		}
		c.differs("GET /api/products", matrix.FreshCatalogue,
			view(c.step.State.Stock, c.step.State.Generation), view(shown.Stock, shown.Generation))
		return
	}
	for _, sku := range slices.Sorted(maps.Keys(c.step.State.Titles)) {
		if want := c.step.State.Titles[sku]; shown.Titles[sku] != want {
			c.differs("title of "+sku+" in GET /api/products", matrix.FreshCatalogue, want, shown.Titles[sku])
		}
	}
}

func (c *comparison) answers() {
	for i, want := range c.want.Answers {
		if i >= len(c.step.Answers) {
			c.differs("answer", matrix.JobKnown, fmt.Sprintf("%d answers", len(c.want.Answers)), fmt.Sprintf("%d", len(c.step.Answers)))
			return
		}
		seen := c.step.Answers[i]
		expected := history.Answer{Batch: want.Batch, Status: want.Status}
		if want.Status == 202 {
			expected.JobID = "shipment-" + want.Batch
		}
		if seen.Status != expected.Status || seen.JobID != expected.JobID {
			c.differs("answer", ruleOfAnswer(expected, seen), answerText(expected), answerText(seen))
		}
	}
}

// ruleOfAnswer: a 202 where the reply of Redis was lost is no second job. Somebody has asked Redis
// again without being told to, or has not waited for its reply.
func ruleOfAnswer(expected, seen history.Answer) matrix.Rule {
	if expected.Status == 503 && seen.Status == 202 {
		return matrix.UnknownIsSaid
	}
	return matrix.JobKnown
}

func (c *comparison) job() {
	want, seen := c.want.Job, c.step.Job
	switch {
	case want == nil:
	case want.Gone && seen != nil:
		c.differs("job", matrix.RetryEnds, "its record has been removed", "state "+seen.State)
	case want.Gone:
	case seen == nil:
		c.differs("job", matrix.StoredForLater, "state "+want.State, "no record")
	case seen.State != want.State:
		text := "state " + seen.State
		if seen.Error != "" {
			text += " (" + seen.Error + ")"
		}
		c.differs("job", matrix.RetryEnds, "state "+want.State, text)
	case want.Results:
		result := history.Result{Imported: len(c.story.Data.Shipment), BatchID: want.Batch}
		if seen.Result == nil || *seen.Result != result {
			c.differs("result", matrix.SameAnswer, resultText(&result), resultText(seen.Result))
		} else if seen.Says() != "" {
			c.differs("result", matrix.SameAnswer, resultText(&result)+", and no other field", seen.Says())
		}
	}
}

func (c *comparison) records() {
	if c.want.Records == nil {
		return
	}
	total := 0
	for _, n := range c.step.Counts {
		total += n
	}
	if total != *c.want.Records {
		c.differs("GET /api/imports", matrix.JobKnown, countsText(*c.want.Records, nil), countsText(total, c.step.Counts))
	}
}

// countsText tells how many records there are and, if it is known, in which states.
func countsText(total int, counts map[string]int) string {
	text := fmt.Sprintf("%d records", total)
	if total == 1 {
		text = "1 record"
	}
	var states []string
	for _, state := range slices.Sorted(maps.Keys(counts)) {
		if counts[state] > 0 {
			states = append(states, fmt.Sprintf("%d %s", counts[state], state))
		}
	}
	if len(states) > 0 {
		text += " (" + strings.Join(states, ", ") + ")"
	}
	return text
}

func resultText(r *history.Result) string {
	if r == nil {
		return "no result"
	}
	return fmt.Sprintf("imported %d, batchId %s", r.Imported, r.BatchID)
}

func answerText(a history.Answer) string {
	switch {
	case a.Status == 0 && a.Lost != "":
		return "no answer for " + a.Batch + " (" + a.Lost + ")"
	case a.Status == 0:
		return "no answer for " + a.Batch
	case a.Code != "":
		return fmt.Sprintf("%d %s for %s", a.Status, a.Code, a.Batch)
	}
	if a.JobID == "" {
		return fmt.Sprintf("%d for %s", a.Status, a.Batch)
	}
	return fmt.Sprintf("%d %s for %s", a.Status, a.JobID, a.Batch)
}
