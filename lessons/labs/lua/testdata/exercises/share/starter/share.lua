-- Gives points to friends.
--
-- KEYS[1]       points of the giver; nothing there means 0
-- KEYS[2], ...  points of the friends, 1,000 at most
-- ARGV[1]       how many each of them gets
--
-- Returns  'done'
--          'too-few'  the giver has not enough for all
--          'full'     a friend would have more than 1,000
--          'damaged'  points are no whole number

local MOST = 1000

local function points(key)
  local text = redis.call('GET', key) or '0'
  return string.match(text, '^%d+$') and tonumber(text)
end

for i = 2, #KEYS do
  local there = points(KEYS[i])
  if not there then
    return 'damaged'
  end
  if there + ARGV[1] > MOST then
    return 'full'
  end
  local left = points(KEYS[1])
  if not left then
    return 'damaged'
  end
  if left < tonumber(ARGV[1]) then
    return 'too-few'
  end
  redis.call('DECRBY', KEYS[1], ARGV[1])
  redis.call('INCRBY', KEYS[i], ARGV[1])
end
return 'done'
