package watch

import "context"

// Loop does a round at once and another one after each change, until ctx ends or
// changes closes. A change in the middle of a round cuts it short: what it would have
// found out is about files that are no more.
func Loop(ctx context.Context, changes <-chan struct{}, round func(context.Context)) {
	for {
		if !once(ctx, changes, round) {
			return
		}
	}
}

// once does one round and waits for a change; false if there will be none.
func once(ctx context.Context, changes <-chan struct{}, round func(context.Context)) bool {
	during, cut := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		round(during)
	}()
	_, more := <-changes
	cut()
	<-done
	return more && ctx.Err() == nil
}
