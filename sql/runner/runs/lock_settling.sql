-- Blocks all transactions that release or end runs while a cancellation request is written. When the blocked
-- transactions continue, they see the request. Rows: none. Locks: cancellation, EXCLUSIVE. The caller must have called
-- limit_request.
lock table cancellation in exclusive mode
