-- Says what the field "note" of an object in JSON is, twice.
--
-- KEYS     none
-- ARGV[1]  an object, as JSON
--
-- Returns  {trap, repaired}; repaired is 'missing', 'null', 'false' or the type
--
-- Invariant: reads only. JSON's null becomes cjson.null, which is a value: it is not
-- nil, and "if" takes it for true. JSON's false is false, which "if" cannot tell
-- from a missing field. So each of them is asked for by name.

local note = cjson.decode(ARGV[1]).note
local trap = note and 'there' or 'missing'
local repaired = type(note)
if note == nil then
  repaired = 'missing'
elseif note == cjson.null then
  repaired = 'null'
elseif note == false then
  repaired = 'false'
end
return {trap, repaired}
