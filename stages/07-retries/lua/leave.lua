-- Removes a consumer that holds nothing from the group.
--
-- KEYS[1]  stream of waiting and active jobs
-- ARGV[1]  consumer group
-- ARGV[2]  consumer name
--
-- Returns  1 removed, 0 it still holds jobs; nothing was written
--
-- Invariant: XGROUP DELCONSUMER forgets what the consumer holds, so a consumer
-- with jobs in hand must stay until they have been taken over.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 1
end
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) > 0 then
  return 0
end
redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
return 1
