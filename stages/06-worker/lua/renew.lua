-- Renews the lock of a job that takes its time.
--
-- KEYS[1]  stream of waiting and active jobs
-- ARGV[1]  consumer group
-- ARGV[2]  this worker's consumer name, its lock token
-- ARGV[3]  entry id
--
-- Returns  1 renewed, 0 lost: another worker has the job, or it is finished
--
-- Invariant: a worker can renew what is its own and never take back what is not.

local mine = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1, ARGV[2])
if #mine == 0 then
  return 0
end
-- Claiming one's own entry sets its idle time, which is our lock, to zero.
redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[3], 'JUSTID')
return 1
