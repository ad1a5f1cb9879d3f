-- Applies a shipment once and ends its job, all in one: whoever asks again finds the job done,
-- and another job for the same batch finds the mark.
-- KEYS  stock, generation, mark, record, active, completed
-- ARGV  token, job id, batch id, fingerprint of the rows, rows (JSON), retention in ms
-- Returns {'done', result}, {'lost'} if the job is not mine any more, or {'refused', code,
-- detail}. Nothing is written unless it is done.

if redis.call('HGET', KEYS[4], 'token') ~= ARGV[1] then
  return {'lost'}
end

local function object(text)
  local ok, value = pcall(cjson.decode, text)
  return ok and type(value) == 'table' and value or nil
end

local function count(value, least, most)
  return type(value) == 'number' and value % 1 == 0 and value >= least and value <= most
end

local function is(key, kind)
  local found = redis.call('TYPE', key)['ok']
  return found == 'none' or found == kind
end

local function finish(result)
  redis.call('ZREM', KEYS[5], ARGV[2])
  if ARGV[6] == '0' then
    redis.call('DEL', KEYS[4])
    return {'done', result}
  end
  local t = redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  redis.call('HDEL', KEYS[4], 'token', 'error')
  redis.call('HSET', KEYS[4], 'state', 'completed', 'result', result)
  redis.call('PEXPIRE', KEYS[4], ARGV[6])
  redis.call('ZREMRANGEBYSCORE', KEYS[6], '-inf', string.format('%.0f', now))
  redis.call('ZADD', KEYS[6], string.format('%.0f', now + ARGV[6]), ARGV[2])
  return {'done', result}
end

-- The mark comes first: a repeat needs no stock.
if not is(KEYS[3], 'string') then
  return {'refused', 'bad_mark', 'it is no string'}
end
local stored = redis.call('GET', KEYS[3])
if stored then
  local mark = object(stored)
  local result = mark and mark.result
  if type(result) ~= 'table' or result.batchId ~= ARGV[3] or not count(result.imported, 1, 100) then
    return {'refused', 'bad_mark', 'it holds no result of this batch'}
  end
  if mark.rows ~= ARGV[4] then
    return {'refused', 'batch_conflict', 'this batch was applied with other rows'}
  end
  return finish(string.format('{"imported":%d,"batchId":"%s"}', result.imported, ARGV[3]))
end

-- Then everything is looked at and computed, before anything is written.
if not is(KEYS[1], 'hash') then
  return {'refused', 'bad_stock', 'it is no hash'}
end
if not is(KEYS[2], 'string') then
  return {'refused', 'bad_generation', 'it is no string'}
end
local generation = redis.call('GET', KEYS[2]) or '0'
if generation ~= '0' and not (string.match(generation, '^[1-9]%d*$') and #generation < 16) then
  return {'refused', 'bad_generation', 'it is no whole number'}
end
local rows = object(ARGV[5])
if not rows or #rows == 0 or #rows > 100 then
  return {'refused', 'bad_rows', '1 to 100 rows are expected'}
end
local products = {}
for i, row in ipairs(rows) do
  local sku, title, quantity = row[1], row[2], row[3]
  if type(sku) ~= 'string' or type(title) ~= 'string' or not count(quantity, 1, 1000000) then
    return {'refused', 'bad_rows', 'row ' .. i .. ' is not sku, title and quantity'}
  end
  local kept = redis.call('HGET', KEYS[1], sku)
  if kept then
    local product = object(kept)
    if not product or product.sku ~= sku or not count(product.quantity, 0, 1000000) then
      return {'refused', 'bad_stock', 'product ' .. sku .. ' cannot be read'}
    end
    quantity = quantity + product.quantity
  end
  if quantity > 1000000 then
    return {'refused', 'quantity_limit', sku .. ' would be ' .. quantity}
  end
  products[i] = {sku, cjson.encode({sku = sku, title = title, quantity = quantity})}
end

local result = string.format('{"imported":%d,"batchId":"%s"}', #rows, ARGV[3])
for _, product in ipairs(products) do
  redis.call('HSET', KEYS[1], product[1], product[2])
end
redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[3], string.format('{"result":%s,"rows":"%s"}', result, ARGV[4]))
return finish(result)
