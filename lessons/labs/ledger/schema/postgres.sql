-- Two instances that start at once would both find no table.
SELECT pg_advisory_xact_lock(4711);

-- One row for each operation that was carried out. It is written by the transaction that has the
-- effect, so there is one exactly if there was an effect.
CREATE TABLE IF NOT EXISTS operations (
  principal   TEXT   NOT NULL,
  operation   TEXT   NOT NULL, -- the kind of it
  key         TEXT   NOT NULL, -- the client's, the same for all attempts
  fingerprint TEXT   NOT NULL, -- of the input
  state       TEXT   NOT NULL CHECK (state IN ('claimed', 'done')),
  result      TEXT,
  created     BIGINT NOT NULL, -- Unix seconds
  CHECK ((state = 'done') = (result IS NOT NULL)),
  PRIMARY KEY (principal, operation, key)
);

CREATE TABLE IF NOT EXISTS stock (
  sku      TEXT   PRIMARY KEY,
  quantity BIGINT NOT NULL CHECK (quantity >= 0)
);

CREATE TABLE IF NOT EXISTS orders (
  id        BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  principal TEXT    NOT NULL,
  reference TEXT, -- the client's own name for the order, if it has one
  sku       TEXT    NOT NULL REFERENCES stock,
  quantity  BIGINT  NOT NULL CHECK (quantity > 0),
  UNIQUE (principal, reference)
);

-- Letters that are to be sent, in the order of their making.
CREATE TABLE IF NOT EXISTS outbox (
  id   BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  body TEXT    NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0
);
