package law

// Catalogue is a stored text and a copy of it that readers are shown.
type Catalogue struct {
	Stored string
	Copy   string
	Good   bool // the copy may be shown
	Reads  int  // of what is stored: the load
}

// Invalidate is all that the handler of the notification "the catalogue has changed" does. Such a
// handler may be called as often as one likes.
func Invalidate(c Catalogue) Catalogue {
	c.Good = false
	return c
}

// Show reads what is stored if there is no good copy.
func Show(c Catalogue) (after Catalogue, shown string) {
	if !c.Good {
		c.Copy, c.Good = c.Stored, true
		c.Reads++
	}
	return c, c.Copy
}
