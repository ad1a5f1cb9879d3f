-- Fixed-window rate limit: counts one hit, or says why it did not.
--
-- KEYS[1]  the counter of one client's window
-- ARGV[1]  limit: hits allowed in a window, 1 to 1,000,000
-- ARGV[2]  window in milliseconds, 1 to 86,400,000 (one day)
--
-- Returns  {1, hits, ms left}   allowed, and counted
--          {0, hits, ms left}   refused, the limit is reached, nothing was written
--          {2, code}            unusable, nothing was written; code is one of
--                               invalid-arguments, invalid-counter, missing-ttl
-- A counter of another type is a technical error (WRONGTYPE) and not a status:
-- GET raises it before anything is written.
--
-- Invariant: every counter has a lifetime, set by its first hit and by no other.
-- A counter that lost its lifetime would shut its client out for ever, so it is
-- reported instead of counted. The check and the count cannot be torn apart by
-- another client, as they can when a client reads, decides and then counts.

local function whole(text, most)
  if not text or not string.match(text, '^%d+$') or #text > 15 then
    return nil
  end
  local number = tonumber(text)
  if number < 1 or number > most then
    return nil
  end
  return number
end

local limit = whole(ARGV[1], 1000000)
local window = whole(ARGV[2], 86400000)
if #KEYS ~= 1 or #ARGV ~= 2 or not limit or not window then
  return {2, 'invalid-arguments'}
end

local stored = redis.call('GET', KEYS[1])
if not stored then
  redis.call('SET', KEYS[1], '1', 'PX', window)
  return {1, 1, window}
end

local hits = whole(stored, 1000000)
-- INCR takes no leading zero: "007" must be found out here, before the write.
if not hits or string.sub(stored, 1, 1) == '0' then
  return {2, 'invalid-counter'}
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  return {2, 'missing-ttl'}
end
if hits >= limit then
  return {0, hits, left}
end
return {1, redis.call('INCR', KEYS[1]), left}
