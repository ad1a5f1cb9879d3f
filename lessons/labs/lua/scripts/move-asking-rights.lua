-- Moves pieces from one shelf to another, if the user who calls may do both.
--
-- KEYS[1]  shelf they are on (a whole number)
-- KEYS[2]  shelf they go to (a whole number)
-- ARGV[1]  pieces
--
-- Returns  what the second shelf holds then
-- An error that begins with NOPERM: a right is missing, and nothing was written.
--
-- Invariant: a missing right is found out before the first write. What the values
-- must be is left to move.lua here. Redis before 7.0 cannot be asked, and there this
-- script finds out as late as any other.

for _, write in ipairs({{'DECRBY', KEYS[1], ARGV[1]}, {'INCRBY', KEYS[2], ARGV[1]}}) do
  if redis.acl_check_cmd and not redis.acl_check_cmd(unpack(write)) then
    return redis.error_reply('NOPERM this user may not ' .. write[1] .. ' ' .. write[2])
  end
end
redis.call('DECRBY', KEYS[1], ARGV[1])
return redis.call('INCRBY', KEYS[2], ARGV[1])
