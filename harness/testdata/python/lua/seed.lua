-- Writes the opening catalogue if there is no stock.
-- KEYS  stock, generation    ARGV  sku, product, sku, product, ...
-- Returns how many products were written.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
for i = 1, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('SETNX', KEYS[2], '0')
return #ARGV / 2
