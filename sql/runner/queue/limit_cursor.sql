-- Lets the server end this transaction where its client falls silent between two statements: whoever
-- holds the cursor keeps everybody from folding. Rows: one. Locks: none.
-- Lasts until the end of the transaction.
select set_config('idle_in_transaction_session_timeout', '5s', true)
