package paper

// Remark is what is to be said about one field of an answer.
type Remark struct {
	Field string
	Said  string // todo if nothing was
	Hint  string
}

// Judge returns a remark for each field that is open or wrong. A wrong one gets a hint, and no answer.
func (c Case) Judge(answer Answer) []Remark {
	var remarks []Remark
	right := c.Right
	for _, f := range fields {
		if said := *f.of(&answer); said != *f.of(&right) {
			remarks = append(remarks, Remark{f.name, said, c.Hints[f.name]})
		}
	}
	return remarks
}
