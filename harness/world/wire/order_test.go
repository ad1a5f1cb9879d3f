package wire

import "testing"

func TestOrderBehindAHold(t *testing.T) {
	for _, at := range []Moment{BeforeServer, AfterServer} {
		t.Run(at.String(), func(t *testing.T) {
			p, redis := start(t)
			trap := p.Trap(at, named("INCR"))
			c, other := dial(t, p), dial(t, p)
			c.send("SET", "first", "1")
			c.send("INCR", "n")
			c.send("SET", "second", "1")
			c.send("GET", "second")
			caught := next(t, trap)
			c.expect("+OK\r\n")
			await(t, p, func(all []Exchange) bool { return len(all) == 4 })
			other.send("SET", "third", "1")
			other.expect("+OK\r\n")
			if redis.Exists("second") {
				t.Error("a later command passed the held one")
			}
			caught.Release()
			c.expect(":1\r\n")
			c.expect("+OK\r\n")
			c.expect("$1\r\n1\r\n")
		})
	}
}

func TestNothingPassesAfterCutOrSwallow(t *testing.T) {
	for _, at := range []Moment{BeforeServer, AfterServer} {
		for name, tt := range map[string]struct {
			decide func(*Caught)
			want   Fate
		}{"cut": {(*Caught).Cut, Dropped}, "swallow": {(*Caught).Swallow, Hung}} {
			t.Run(name+" "+at.String(), func(t *testing.T) {
				p, redis := start(t)
				trap := p.Trap(at, named("INCR"))
				c := dial(t, p)
				c.send("INCR", "n")
				c.send("SET", "later", "1")
				caught := next(t, trap)
				await(t, p, func(all []Exchange) bool { return len(all) == 2 })
				tt.decide(caught)
				await(t, p, func(all []Exchange) bool { return all[1].Fate == tt.want })
				if x := p.Exchanges()[1]; redis.Exists("later") || x.Forwarded || x.Problem == "" {
					t.Errorf("later command: %#v", x)
				}
			})
		}
	}
}
