-- Deletes a key if it still holds what the caller put there.
--
-- KEYS[1]  the key, such as a lock
-- ARGV[1]  what it has to hold, such as the owner's token
--
-- Returns  1 deleted
--          0 it holds something else, or is not there; nothing was written
--
-- Invariant: nobody deletes what has become another's. A process that was late
-- finds the other's token and leaves it alone.

if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])
