-- Counts the records in each state. Reads only.
-- KEYS  waiting, active, delayed, completed, failed (score = end of retention, ms)
local t = redis.call('TIME')
local now = string.format('(%.0f', t[1] * 1000 + math.floor(t[2] / 1000))
return {redis.call('LLEN', KEYS[1]), redis.call('ZCARD', KEYS[2]), redis.call('ZCARD', KEYS[3]),
  redis.call('ZCOUNT', KEYS[4], now, '+inf'), redis.call('ZCOUNT', KEYS[5], now, '+inf')}
