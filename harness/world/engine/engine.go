package engine

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// closeTimeout bounds the cleaning up, which must work after Ctrl-C and must not hang on it.
const closeTimeout = 20 * time.Second

// Choice is what the user asked for.
type Choice struct {
	Kind Kind
	// URL of the user's server, for kind URL only: redis[s]://[user:password@]host[:port]. Of the
	// options after a ? only skip_verify is of use here.
	URL string
	// Image of the container. Empty means $HARNESS_REDIS_IMAGE, and DefaultImage without that.
	Image string
	// Settings are more arguments of the container's redis-server, such as "--cluster-enabled",
	// "yes". For kind Container only.
	Settings []string
	// Closed takes from the server every command by which a client makes it connect to somewhere
	// else. For containers; miniredis has none of them, and the user's server stays as it is.
	Closed bool
	// MayFlush allows a run to delete the keys of the user's server.
	MayFlush bool
	// Progress, if not nil, is called with one line at a time, from the goroutine inside Open and
	// from those that release databases.
	Progress func(string)
}

func (c Choice) progress(format string, args ...any) {
	if c.Progress != nil {
		c.Progress(fmt.Sprintf(format, args...))
	}
}

// Engine is a Redis that answers. Whoever opens one closes it.
type Engine struct {
	kind      Kind
	addr      string
	user      *url.Userinfo
	version   Version
	label     string
	rehearsal string
	databases int

	free     chan int // the databases nobody holds
	progress func(format string, args ...any)

	crash func(context.Context) (addr string, err error) // nil if it cannot be killed

	closed chan struct{}
	stop   func(context.Context) error
	once   func() error // closes, and remembers how that went
}

// Open finds or starts the chosen Redis and returns when it answers. It leaves nothing behind when
// it fails or when ctx ends in the middle.
func Open(ctx context.Context, choice Choice) (*Engine, error) {
	quietLibraries()
	if choice.URL != "" && choice.Kind != URL {
		return nil, fmt.Errorf("a Redis URL goes with engine %q, not with %q", URL, choice.Kind)
	}
	if len(choice.Settings) > 0 && choice.Kind != Container {
		return nil, fmt.Errorf("settings of the server go with engine %q, not with %q", Container, choice.Kind)
	}
	switch choice.Kind {
	case Container:
		return openContainer(ctx, choice)
	case Miniredis:
		return openMiniredis(ctx, choice, "")
	case URL:
		return openURL(ctx, choice)
	case Auto:
		return openAuto(ctx, choice)
	default:
		_, err := ParseKind(string(choice.Kind))
		return nil, err
	}
}

// openAuto prefers the proof and settles for the rehearsal, never silently: the reason travels in
// Rehearsal to every report.
func openAuto(ctx context.Context, choice Choice) (*Engine, error) {
	e, err := openContainer(ctx, choice)
	if !errors.Is(err, ErrUnavailable) {
		return e, err
	}
	choice.progress("%v; rehearsing on miniredis", err)
	return openMiniredis(ctx, choice, err.Error())
}

// finish completes an engine whose address answers: it asks the server what it is, makes its
// databases available and returns how many keys each holds. On failure it stops what was started.
func (e *Engine) finish(ctx context.Context, choice Choice, stop func(context.Context) error) (keys []int64, err error) {
	e.progress = choice.progress
	e.closed = make(chan struct{})
	e.stop = stop
	e.once = sync.OnceValue(e.close)

	if keys, err = e.inspect(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	e.databases = len(keys)
	e.free = make(chan int, e.databases)
	for db := range e.databases {
		e.free <- db
	}
	return keys, nil
}

// Kind is where this Redis came from; never Auto.
func (e *Engine) Kind() Kind { return e.kind }

// Addr is host:port, plain TCP: what a proxy forwards to. Crash changes it.
func (e *Engine) Addr() string { return e.addr }

// ErrNoCrash is the answer of an engine that the harness cannot kill.
var ErrNoCrash = errors.New("only a server in a container of the harness can be killed")

// Crash kills the server without warning (SIGKILL) and starts it again over the data that it has left
// behind. A server that was told to end, with SHUTDOWN, is only started again. It returns when the server answers, at a new address. Nobody else may use the engine
// meanwhile.
func (e *Engine) Crash(ctx context.Context) (err error) {
	if e.crash == nil {
		return ErrNoCrash
	}
	e.addr, err = e.crash(ctx)
	return err
}

// Version is what the server says it is.
func (e *Engine) Version() Version { return e.version }

// Label names the engine in reports. It never holds a password.
func (e *Engine) Label() string { return e.label }

// Rehearsal is empty if a run on this engine proves something, and otherwise says why it does not.
func (e *Engine) Rehearsal() string { return e.rehearsal }

// Databases is how many databases there are to lease: 16, or fewer on a server that has fewer.
func (e *Engine) Databases() int { return e.databases }

// URL is the address a program should use to reach database db through a proxy that listens at
// addr. It carries the user's credentials; the proxy's side is always plain TCP.
func (e *Engine) URL(db int, addr string) string {
	u := url.URL{Scheme: "redis", User: e.user, Host: addr, Path: "/" + strconv.Itoa(db)}
	return u.String()
}

// Client connects to database db, past any proxy. The caller closes it.
//
// It sends nothing that it was not asked to send: no retries, no greeting beyond the protocol's,
// no subscription to maintenance news. A harness that counts commands has to know its own.
func (e *Engine) Client(db int) *redis.Client {
	options := &redis.Options{
		Addr:                     e.addr,
		DB:                       db,
		MaxRetries:               -1,
		DialerRetries:            1,
		DisableIdentity:          true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	if e.user != nil {
		options.Username = e.user.Username()
		options.Password, _ = e.user.Password()
	}
	return redis.NewClient(options)
}

// Close stops what Open started. Closing again returns the same answer. It takes no context because
// it is what runs after the caller's was cancelled.
func (e *Engine) Close() error { return e.once() }

func (e *Engine) close() error {
	close(e.closed)
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := e.stop(ctx); err != nil {
		return fmt.Errorf("close engine %s: %w", e.kind, err)
	}
	return nil
}
