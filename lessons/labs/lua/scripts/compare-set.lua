-- Gives a key a new value if it still holds the expected one.
--
-- KEYS[1]  the key
-- ARGV[1]  what it has to hold
-- ARGV[2]  what it will hold
--
-- Returns  1 set; a lifetime that the old value had is gone with it, as after SET
--          0 it holds something else, or is not there; nothing was written
--
-- Invariant: of two callers that expect the same value, one succeeds.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
