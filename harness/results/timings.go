package results

// Timings say where the time of a run went, in ms. How long each scenario and check took
// stands with it.
type Timings struct {
	Engine     int64   `json:"engine"` // until Redis answered; the builds go on meanwhile
	Builds     []Build `json:"builds"`
	SideBySide int64   `json:"sideBySide"` // from then on, what may run beside other things
	Alone      int64   `json:"alone"`      // what nothing may run beside
	Again      int64   `json:"again"`      // second looks
	Total      int64   `json:"total"`
}

// Build is the time that one stage took to be built, in ms.
type Build struct {
	Stage  string `json:"stage"`
	Millis int64  `json:"millis"`
}
