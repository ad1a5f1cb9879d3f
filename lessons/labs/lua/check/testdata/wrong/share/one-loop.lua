-- Gives points to friends: the giver is looked at first, and the friends one by one.
--
-- KEYS[1]       points of the giver; nothing there means 0
-- KEYS[2], ...  points of the friends, 1,000 at most
-- ARGV[1]       how many each of them gets
--
-- Returns  'done', 'too-few', 'full' or 'damaged'

local MOST = 1000

local function points(key)
  local text = redis.call('GET', key) or '0'
  return string.match(text, '^%d+$') and tonumber(text)
end

local left = points(KEYS[1])
local needed = (#KEYS - 1) * ARGV[1]
if not left then
  return 'damaged'
end
if left < needed then
  return 'too-few'
end
redis.call('DECRBY', KEYS[1], needed)
for i = 2, #KEYS do
  local there = points(KEYS[i])
  if not there then
    return 'damaged'
  end
  if there + ARGV[1] > MOST then
    return 'full'
  end
  redis.call('INCRBY', KEYS[i], ARGV[1])
end
return 'done'
