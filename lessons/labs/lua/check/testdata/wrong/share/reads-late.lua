-- Gives points to friends. A friend's key is read with the others only if it holds a string.
--
-- KEYS[1]       points of the giver; nothing there means 0
-- KEYS[2], ...  points of the friends, 1,000 at most
-- ARGV[1]       how many each of them gets
--
-- Returns  'done', 'too-few', 'full' or 'damaged'

local MOST = 1000

local function points(key)
  if redis.call('TYPE', key).ok == 'list' then
    return 0
  end
  local text = redis.call('GET', key) or '0'
  return string.match(text, '^%d+$') and tonumber(text)
end

local left = points(KEYS[1])
if not left then
  return 'damaged'
end
for i = 2, #KEYS do
  local there = points(KEYS[i])
  if not there then
    return 'damaged'
  end
  if there + ARGV[1] > MOST then
    return 'full'
  end
end
local needed = (#KEYS - 1) * ARGV[1]
if left < needed then
  return 'too-few'
end

redis.call('DECRBY', KEYS[1], needed)
for i = 2, #KEYS do
  redis.call('INCRBY', KEYS[i], ARGV[1])
end
return 'done'
