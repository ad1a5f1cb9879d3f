-- COUNTEREXAMPLE. Writes once, and then reads for ever.
--
-- KEYS[1]  a key to set
-- ARGV[1]  its value
--
-- Returns  never
--
-- Invariant: none. SCRIPT KILL refuses, as ending it would leave half of what it
-- means to write. What is left is SHUTDOWN NOSAVE.

redis.call('SET', KEYS[1], ARGV[1])
while true do
  redis.call('GET', KEYS[1])
end
