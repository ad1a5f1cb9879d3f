// Package paper is about four cases that are to be thought through before anything is run: is the
// result known, where, and what has to be done?
//
// What it says about them is what the ledger of this workbook does; the package's tests make it do so.
package paper

// Answer is what somebody says about a case.
type Answer struct {
	Effects string // orders that there are in the end, when nobody does anything else
	Second  string // what the second request is told
	KnownIn string // where the result of the first one can be read at that moment
	Then    string // what whoever sent the second one has to do
}

// Values of the fields, in the order in which they are explained.
var (
	Effects = []string{"0", "1", "2"}
	Seconds = []string{"first-result", "in-progress", "refused", "new-result"}
	Places  = []string{"record", "orders", "nowhere"}
	Thens   = []string{"nothing", "ask-again", "new-key", "reconcile"}
)

// field is one question.
type field struct {
	name   string
	values []string
	of     func(*Answer) *string
}

var fields = []field{
	{"effects", Effects, func(a *Answer) *string { return &a.Effects }},
	{"second", Seconds, func(a *Answer) *string { return &a.Second }},
	{"known-in", Places, func(a *Answer) *string { return &a.KnownIn }},
	{"then", Thens, func(a *Answer) *string { return &a.Then }},
}

// Case is one of the four.
type Case struct {
	Name   string
	Right  Answer
	Hints  map[string]string // field -> where to look; never the answer
	Reason string            // for whoever has found it out
	Lesson string
}

// Cases are all four. An order is for two lamps, from a shop whose ledger keeps one record for a key.
var Cases = []Case{
	{
		Name:  "two-at-once",
		Right: Answer{Effects: "1", Second: "in-progress", KnownIn: "nowhere", Then: "ask-again"},
		Hints: map[string]string{
			"effects":  "one of the two has written the row of the key first; what does the primary key do to the other?",
			"second":   "the first has not committed, and the second does not wait that long",
			"known-in": "who can read what has not been committed?",
			"then":     "the first may still succeed or fail; what is safe in both cases?",
		},
		Reason: "Until the first one has committed, its result is known nowhere, not even to the server: it may still fail.\n" +
			"The second one is told so (409), and asks again with the same key. Nothing has to be reconciled.",
		Lesson: "unknown-results.md#one-transaction",
	},
	{
		Name:  "other-input",
		Right: Answer{Effects: "1", Second: "refused", KnownIn: "record", Then: "new-key"},
		Hints: map[string]string{
			"effects":  "does a refusal write anything?",
			"second":   "beside the result lies a fingerprint; what would it mean to answer with a result that is not of this input?",
			"known-in": "the first one has been committed, with everything that belongs to it",
			"then":     "a key names one operation; how many operations does the client have in mind?",
		},
		Reason: "The result of the first one is known from its record. Of the second one it is known that it was not done\n" +
			"(422). If it is meant, it is an operation of its own and needs its own key; if not, the client has mixed\n" +
			"up its keys, and repeating will not mend that.",
		Lesson: "unknown-results.md#the-same-key-and-another-input",
	},
	{
		Name:  "restart-after-commit",
		Right: Answer{Effects: "1", Second: "first-result", KnownIn: "record", Then: "nothing"},
		Hints: map[string]string{
			"effects":  "what was committed together, and what survives the end of a process?",
			"second":   "the new process opens the same database",
			"known-in": "not in the process that was killed",
			"then":     "what is left open, once the second request has its answer?",
		},
		Reason: "The client cannot tell this from a request that never arrived. The record can: it was committed with the\n" +
			"effect, and the repeat is given the first result. Nothing has to be reconciled.",
		Lesson: "unknown-results.md#unknown-is-not-failed",
	},
	{
		Name:  "history-deleted",
		Right: Answer{Effects: "2", Second: "new-result", KnownIn: "orders", Then: "reconcile"},
		Hints: map[string]string{
			"effects":  "what tells a repeat from a first request, and is it still there?",
			"second":   "for the server this key is unused",
			"known-in": "the record is gone; what else has the first request left behind?",
			"then":     "everything has been answered with success, and yet there are lamps on their way that nobody asked for twice",
		},
		Reason: "The server has forgotten the key, and the repeat is a new order to it. What became of the first one is known\n" +
			"from the orders alone. Somebody has to compare them with what the client meant, and to cancel one: that is\n" +
			"reconciliation. A reference in the order itself would have refused the second one.",
		Lesson: "unknown-results.md#when-the-record-is-deleted",
	},
}
