-- Fixed-window counter: counts one hit, or says why it did not.
--
-- KEYS[1]  the counter of one client
-- ARGV[1]  limit: hits allowed in a window, 1 to 1,000,000
-- ARGV[2]  window in seconds, 1 to 86,400 (one day)
--
-- Returns  {1, hits}  allowed, and counted
--          {0, hits}  the limit is reached; nothing was written
--          {2, code}  unusable; nothing was written; code is one of
--                     invalid-arguments, invalid-counter, missing-ttl
-- A key of another type is a technical error (WRONGTYPE) that GET raises, and no
-- status: it is no answer to the question that was asked.
--
-- Invariant: all checks come before the first write, and a counter gets its
-- lifetime with its first hit and never again. Setting it with every hit would be
-- another rule: a client that never rests would never get a new window.

-- Digits only: tonumber alone would take 1.5, 1e3 and 0x10 as well.
local function whole(text, most)
  if not string.match(text, '^[1-9]%d*$') then
    return nil
  end
  local number = tonumber(text)
  if number <= most then
    return number
  end
end

if #KEYS ~= 1 or #ARGV ~= 2 then
  return {2, 'invalid-arguments'}
end
local limit = whole(ARGV[1], 1000000)
local window = whole(ARGV[2], 86400)
if not limit or not window then
  return {2, 'invalid-arguments'}
end

local stored = redis.call('GET', KEYS[1])
if not stored then
  redis.call('SET', KEYS[1], '1', 'EX', window)
  return {1, 1}
end

local hits = whole(stored, 1000000)
if not hits then
  return {2, 'invalid-counter'}
end
if redis.call('TTL', KEYS[1]) < 0 then
  return {2, 'missing-ttl'}
end
if hits >= limit then
  return {0, hits}
end
return {1, redis.call('INCR', KEYS[1])}
