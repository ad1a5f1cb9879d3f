-- Takes pieces out of stock, if there are enough.
--
-- KEYS[1]  stock of one product (a whole number)
-- ARGV[1]  pieces wanted, 1 to 1,000,000
--
-- Returns  {1, left}   taken, and how many are left
--          {0, stock}  too few; nothing was written
--          {2, code}   unusable; nothing was written; code is one of
--                      invalid-arguments, invalid-stock
--
-- Invariant: the stock never falls below zero, and is never taken in part.

local function whole(text)
  if not string.match(text, '^%d+$') or string.match(text, '^0%d') then
    return nil
  end
  local number = tonumber(text)
  if number <= 1000000 then
    return number
  end
end

if #KEYS ~= 1 or #ARGV ~= 1 then
  return {2, 'invalid-arguments'}
end
local wanted = whole(ARGV[1])
if not wanted or wanted == 0 then
  return {2, 'invalid-arguments'}
end
local stock = whole(redis.call('GET', KEYS[1]) or '0')
if not stock then
  return {2, 'invalid-stock'}
end
if stock < wanted then
  return {0, stock}
end
return {1, redis.call('DECRBY', KEYS[1], wanted)}
