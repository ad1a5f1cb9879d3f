-- Writes the opening catalogue, once.
--
-- KEYS[1]  stock (hash: sku -> JSON {sku,title,quantity})
-- KEYS[2]  generation (counter)
-- ARGV     sku, product JSON, sku, product JSON, ...
--
-- Returns  the number of products written; 0 if there is stock already
--
-- Invariant: an existing stock is never touched, also by two seeds at once.

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
redis.call('HSET', KEYS[1], unpack(ARGV))
redis.call('SETNX', KEYS[2], '0')
return #ARGV / 2
