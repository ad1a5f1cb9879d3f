#!lua name=shop
-- The library of functions that the shop keeps on the server.
--
-- reserve  takes pieces out of stock, if there are enough
--   keys[1]  stock of one product (a whole number)
--   args[1]  pieces wanted, 1 to 999,999
--   Returns  {1, left} taken; {0, stock} too few, nothing was written;
--            {2, 'invalid-arguments'} unusable, nothing was written
--   A stock that is no number raises an error before anything is written.
-- left     looks how many there are; may be called with FCALL_RO
--   keys[1]  stock of one product
--   Returns  the number
--
-- Invariant: the stock never falls below zero. Keys and values come as
-- parameters: there is no KEYS and no ARGV in a function.

local function stock(keys)
  return tonumber(redis.call('GET', keys[1]) or '0')
end

redis.register_function('reserve', function(keys, args)
  if #keys ~= 1 or #args ~= 1 or not string.match(args[1], '^[1-9]%d?%d?%d?%d?%d?$') then
    return {2, 'invalid-arguments'}
  end
  local there = stock(keys)
  if there < tonumber(args[1]) then
    return {0, there}
  end
  return {1, redis.call('DECRBY', keys[1], args[1])}
end)

redis.register_function({
  function_name = 'left',
  callback = stock,
  flags = {'no-writes'},
})
