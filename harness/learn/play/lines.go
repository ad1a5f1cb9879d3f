package play

import "fmt"

// Line is a command to type, and what comes of it.
type Line struct {
	What    string // what it does, in a few words
	Command string // for a shell
	Status  int    // of the HTTP answer
}

// Lines are the commands to try, in this order, at a server that has just been
// opened. works says whether there are workers.
func Lines(url string, works bool) []Line {
	post := func(batch string) string {
		return fmt.Sprintf(`curl -i -H 'Content-Type: application/json' -d '{"dataset":"shipment-a","batchId":"%s"}' %s/api/imports`, batch, url)
	}
	stock := "see the stock"
	if !works {
		stock = "see the stock, which nobody changes in this stage"
	}
	return []Line{
		{"see the stock before anything", "curl -s " + url + "/api/products", 200},
		{"ask for a batch", post("monday-1"), 202},
		{"see its job", "curl -s " + url + "/api/imports/shipment-monday-1", 200},
		{stock, "curl -s " + url + "/api/products", 200},
		{"ask for the same batch again", post("monday-1"), 202},
		{"another batch with the same rows", post("tuesday-1"), 202},
		{"count the jobs", "curl -s " + url + "/api/imports", 200},
		{"ask for a file that is none of its business", fmt.Sprintf(`curl -i -H 'Content-Type: application/json' -d '{"dataset":"../passwords","batchId":"monday-2"}' %s/api/imports`, url), 400},
		{"ask for a job that is not there", "curl -i " + url + "/api/imports/shipment-nobody", 404},
	}
}
