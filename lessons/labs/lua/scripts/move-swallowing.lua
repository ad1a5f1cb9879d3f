-- COUNTEREXAMPLE. Moves pieces from one shelf to another, and says so whatever
-- happened.
--
-- KEYS[1]  shelf they are on (a whole number)
-- KEYS[2]  shelf they go to (a whole number)
-- ARGV[1]  pieces
--
-- Returns  'moved', always
--
-- Invariant: none. redis.pcall hands an error to the script instead of ending it;
-- a script that does not look at it hides the error from everybody.

redis.call('DECRBY', KEYS[1], ARGV[1])
redis.pcall('INCRBY', KEYS[2], ARGV[1])
return 'moved'
