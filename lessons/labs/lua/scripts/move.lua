-- Moves pieces from one shelf to another.
--
-- KEYS[1]  shelf they are on (a whole number)
-- KEYS[2]  another shelf, where they go to (a whole number)
-- ARGV[1]  pieces, 1 to 1,000,000
--
-- Returns  {1, left, there}  moved
--          {0, code}  nothing was written; code is one of
--                     invalid-arguments, invalid-shelf, too-few, too-many
--                     (a shelf holds 1,000,000 at most)
--
-- Invariant: the sum of both shelves stays the same. Redis takes nothing back, so
-- whatever can be wrong with the second write is found out before the first one.

local MOST = 1000000

local function whole(text)
  if not string.match(text, '^%d+$') or string.match(text, '^0%d') then
    return nil
  end
  local number = tonumber(text)
  if number <= MOST then
    return number
  end
end

local pieces = #KEYS == 2 and #ARGV == 1 and KEYS[1] ~= KEYS[2] and whole(ARGV[1])
if not pieces or pieces == 0 then
  return {0, 'invalid-arguments'}
end
local from = whole(redis.call('GET', KEYS[1]) or '0')
local to = whole(redis.call('GET', KEYS[2]) or '0')
if not from or not to then
  return {0, 'invalid-shelf'}
end
if from < pieces then
  return {0, 'too-few'}
end
if to + pieces > MOST then
  return {0, 'too-many'}
end
return {1, redis.call('DECRBY', KEYS[1], pieces), redis.call('INCRBY', KEYS[2], pieces)}
