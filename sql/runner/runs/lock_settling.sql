-- Blocks all transactions that release or end runs while a cancellation request is written. The blocked transactions
-- see the cancellation request after it is committed. Rows: none. Locks: the `cancellation` table, EXCLUSIVE. The
-- caller must have called limit_request.
lock table cancellation in exclusive mode
