package engine

import (
	"sync"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	tclog "github.com/testcontainers/testcontainers-go/log"
)

// quietLibraries keeps two libraries off the user's terminal. Both log through a variable of their
// own package, so this is the one thing here that is done to the whole process, and done once.
// What they would say reaches the user as errors.
var quietLibraries = sync.OnceFunc(func() {
	tclog.SetDefault(tclog.NewNoopLogger())
	redis.SetLogger(&logging.VoidLogger{})
})
