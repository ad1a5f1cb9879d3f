-- Adds one to a number in JSON, and writes the sum twice.
--
-- KEYS     none
-- ARGV[1]  a whole number, as JSON
--
-- Returns  {trap, repaired}, both JSON; repaired is empty for a sum that Lua cannot
--          hold exactly
--
-- Invariant: reads only. A number of Lua is a float of 53 bits, and cjson.encode
-- writes 14 digits of it: more become 1e+14 or lose their end. string.format writes
-- all of them, up to 2^53. Beyond, the number must not become one of Lua at all:
-- let INCRBY count it, which takes 64 bits, or send it as a string.

local EXACT = 9007199254740992 -- 2^53

local sum = cjson.decode(ARGV[1]) + 1
local trap = cjson.encode(sum)
local repaired = ''
if sum < EXACT then
  repaired = string.format('%.0f', sum)
end
return {trap, repaired}
