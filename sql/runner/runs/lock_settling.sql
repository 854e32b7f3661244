-- Keeps everybody from settling runs for the moment of one request: whoever settles a run later sees it.
-- Rows: none. Locks: cancellation, EXCLUSIVE. Behind limit_request.
lock table cancellation in exclusive mode
