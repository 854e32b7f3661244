-- Blocks all transactions that settle runs while one request is written: a transaction that settles a run later sees
-- the request. Rows: none. Locks: cancellation, EXCLUSIVE. Runs after limit_request.
lock table cancellation in exclusive mode
