-- Waits for the lock to become the caller's, which nobody can bring about while it waits.
--
-- KEYS[1]  the lock
-- ARGV[1]  the token of whoever gives it back
--
-- Returns  1 given back

while redis.call('GET', KEYS[1]) ~= ARGV[1] do
end
return redis.call('DEL', KEYS[1])
