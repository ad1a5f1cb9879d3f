-- Takes the next waiting job.
-- KEYS  waiting, active    ARGV  token, lock in ms, prefix of records
-- Returns {job id, name, data, attempt, age in ms, '1' if it was another's}, or nothing.
-- An attempt is counted when it begins, so that one which kills its worker counts too.
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
while true do
  local job = redis.call('LPOP', KEYS[1])
  if not job then
    return {}
  end
  local record = ARGV[3] .. job
  if redis.call('HGET', record, 'state') == 'waiting' then
    local attempt = redis.call('HINCRBY', record, 'attempts', 1)
    local found = redis.call('HMGET', record, 'name', 'data', 'since', 'stalled')
    redis.call('HDEL', record, 'stalled')
    redis.call('HSET', record, 'state', 'active', 'token', ARGV[1])
    redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[2]), job)
    return {job, found[1] or '', found[2] or '', attempt, now - tonumber(found[3] or now), found[4] or ''}
  end
end
