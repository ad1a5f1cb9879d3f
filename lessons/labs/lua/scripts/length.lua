-- How long a list is, or 0 if the key holds something that is no list.
--
-- KEYS[1]  the list
--
-- Returns  {length, ''}
--          {0, 'not-a-list'}  the key is of another type; that is known here and
--                             has a meaning
-- Any other error is given back as it is.
--
-- Invariant: reads only. redis.pcall is right where the script has something to
-- do about the error, and only for the error that it knows.

local answer = redis.pcall('LLEN', KEYS[1])
if type(answer) == 'table' and answer.err then
  if string.match(answer.err, '^WRONGTYPE') then
    return {0, 'not-a-list'}
  end
  return answer
end
return {answer, ''}
