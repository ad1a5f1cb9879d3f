-- COUNTEREXAMPLE. Reads for ever.
--
-- KEYS[1]  any key
--
-- Returns  never
--
-- Invariant: none. Everybody else waits, and after busy-reply-threshold is told
-- BUSY. SCRIPT KILL can end it, as it has written nothing.

while true do
  redis.call('GET', KEYS[1])
end
