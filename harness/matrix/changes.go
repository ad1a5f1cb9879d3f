package matrix

// Change is what one stage teaches: the files that it changes or adds over the
// stage before it. All other files of the two are the same to the byte. Module
// files and tests are not counted.
type Change struct {
	From, To string
	Files    []string // sorted
}

// Changes is the declared list.
var Changes = []Change{
	{"05", "06", []string{
		"apply.go", "delivery.go", "lua/finish.lua", "lua/giveback.lua", "lua/leave.lua", "lua/renew.lua", "lua/start.lua",
		"shipment.go", "worker.go",
	}},
	{"06", "07", []string{"lua/promote.lua", "lua/retry.lua", "retry.go", "worker.go"}},
	{"07", "08", []string{"apply.go", "lua/apply.lua"}},
}
