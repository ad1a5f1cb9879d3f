module example.com/importer/lessons/labs

go 1.26.0

// What learners work on: compiled when it is asked for, and by no ./... of the workbook.
ignore ./work

require (
	github.com/google/go-cmp v0.7.0
	github.com/yuin/goldmark v1.8.7
	pgregory.net/rapid v1.3.0
)

replace example.com/importer/harness => ../../harness
