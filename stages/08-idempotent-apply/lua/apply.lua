-- Applies a shipment to the stock once, whatever is repeated.
--
-- KEYS[1]  stock (hash: sku -> JSON {sku,title,quantity})
-- KEYS[2]  generation (counter)
-- KEYS[3]  mark of this batch (string, no lifetime): JSON {batchId,imported,fingerprint}
-- ARGV[1]  batch id
-- ARGV[2]  fingerprint of the rows
-- ARGV[3]  rows: JSON [[sku,title,quantity], ...], 1 to 100 of them
--
-- Returns  {'applied', mark}   the stock was changed by this very call
--          {'repeated', mark}  it had been changed before; nothing was written
--          {'refused', code, detail}, nothing was written; code is one of
--              bad_rows, bad_stock, bad_generation, bad_mark   data not as agreed
--              quantity_limit  a product would hold more than 1,000,000
--              batch_conflict  the batch id is taken by other rows
--
-- Invariant: stock, generation and mark change together, in this script, or not
-- at all. Redis runs no other command in between, but it takes nothing back
-- either: a write before a later error stays written. So everything that can be
-- wrong with the data is found out before the three writes at the end. (When memory
-- is short, Redis refuses the first of them.) The script does not check its own
-- rights: for a Redis user that may HSET, and not INCR or SET, every try adds again.

local LIMIT = 1000000

local function refused(code, detail)
  return {'refused', code, detail}
end

local function decode(text)
  local ok, value = pcall(cjson.decode, text)
  if ok and type(value) == 'table' then
    return value
  end
end

local function whole(value, least, most)
  return type(value) == 'number' and value == math.floor(value) and value >= least and value <= most
end

local function typed(key, wanted)
  local found = redis.call('TYPE', key).ok
  return found == wanted or found == 'none', 'its type is ' .. found .. ', ' .. wanted .. ' is expected'
end

-- The mark first: a batch that was applied gets its first result, even if the
-- stock has been damaged since.
local fine, why = typed(KEYS[3], 'string')
if not fine then
  return refused('bad_mark', why)
end
local stored = redis.call('GET', KEYS[3])
if stored then
  local mark = decode(stored)
  if not mark or mark.batchId ~= ARGV[1] or type(mark.fingerprint) ~= 'string' or not whole(mark.imported, 1, 100) then
    return refused('bad_mark', 'it does not hold the result of this batch')
  end
  if mark.fingerprint ~= ARGV[2] then
    return refused('batch_conflict', 'this batch id was applied with other rows')
  end
  return {'repeated', stored}
end

fine, why = typed(KEYS[2], 'string')
if not fine then
  return refused('bad_generation', why)
end
local generation = redis.call('GET', KEYS[2]) or '0'
-- INCR takes no sign, no leading zero and no more than 64 bits; it comes after
-- the first write, so it must not be the one to find out.
if #generation > 15 or not (generation == '0' or string.match(generation, '^[1-9]%d*$')) then
  return refused('bad_generation', 'it is not a whole number')
end

fine, why = typed(KEYS[1], 'hash')
if not fine then
  return refused('bad_stock', why)
end

local rows = decode(ARGV[3])
if not rows or #rows < 1 or #rows > 100 then
  return refused('bad_rows', '1 to 100 rows are expected')
end

-- First loop: compute every new quantity and write nothing.
local writes, seen = {}, {}
for i, row in ipairs(rows) do
  local sku, title, quantity
  if type(row) == 'table' and #row == 3 then
    sku, title, quantity = row[1], row[2], row[3]
  end
  if type(sku) ~= 'string' or sku == '' or seen[sku] or type(title) ~= 'string' or title == ''
    or not whole(quantity, 1, LIMIT) then
    return refused('bad_rows', 'row ' .. i .. ' is not {sku, title, quantity} with a sku of its own')
  end
  seen[sku] = true

  local total = quantity
  local raw = redis.call('HGET', KEYS[1], sku)
  if raw then
    local product = decode(raw)
    if not product or product.sku ~= sku or type(product.title) ~= 'string' or not whole(product.quantity, 0, LIMIT) then
      return refused('bad_stock', 'the stored product ' .. sku .. ' is not {sku, title, quantity}')
    end
    total = total + product.quantity
  end
  if total > LIMIT then
    return refused('quantity_limit', sku .. ' would hold ' .. total .. ', the limit is ' .. LIMIT)
  end
  writes[#writes + 1] = sku
  writes[#writes + 1] = cjson.encode({sku = sku, title = title, quantity = total})
end

-- Then write, all of it.
local mark = cjson.encode({batchId = ARGV[1], imported = #rows, fingerprint = ARGV[2]})
redis.call('HSET', KEYS[1], unpack(writes))
redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[3], mark)
return {'applied', mark}
