-- Blocks all transactions that release or end runs while a cancellation request is written. The blocked transactions
-- later see the request. Rows: none. Locks: the table `cancellation`, EXCLUSIVE. The caller must have called
-- limit_request.
lock table cancellation in exclusive mode
