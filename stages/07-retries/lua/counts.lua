-- Counts the records in each state, all at one moment.
--
-- KEYS[1]  stream of waiting and active jobs
-- KEYS[2]  delayed jobs (sorted set, score = due time in ms)
-- KEYS[3]  completed jobs (sorted set, score = end of retention in ms)
-- KEYS[4]  failed jobs (likewise)
-- ARGV[1]  consumer group
--
-- Returns  {waiting, active, delayed, completed, failed}
--
-- Invariant: reads only. A finished job whose retention is over is not counted,
-- whether or not its member has been swept out of the sorted set yet.

local waiting, active = 0, 0
if redis.call('EXISTS', KEYS[1]) == 1 then
  active = redis.call('XPENDING', KEYS[1], ARGV[1])[1]
  waiting = redis.call('XLEN', KEYS[1]) - active
end
local time = redis.call('TIME')
local now = '(' .. string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return {waiting, active, redis.call('ZCARD', KEYS[2]),
  redis.call('ZCOUNT', KEYS[3], now, '+inf'), redis.call('ZCOUNT', KEYS[4], now, '+inf')}
