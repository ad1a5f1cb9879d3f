-- Removes an item from a list in JSON, and writes what is left twice.
--
-- KEYS     none
-- ARGV[1]  a list of strings, as JSON
-- ARGV[2]  the item
--
-- Returns  {trap, repaired}, both JSON
--
-- Invariant: reads only. An empty table of Lua is neither a list nor an object,
-- and Redis's cjson.encode makes it an object: {}. A program that expects a list
-- cannot read that. So the empty list is written by hand.

local left = {}
for _, item in ipairs(cjson.decode(ARGV[1])) do
  if item ~= ARGV[2] then
    left[#left + 1] = item
  end
end
local trap = cjson.encode(left)
local repaired = #left == 0 and '[]' or cjson.encode(left)
return {trap, repaired}
