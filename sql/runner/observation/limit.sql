-- What holds for a look at everything: it changes nothing, waits for nobody for long, and never collects the places
-- of all rows of an index before it stops at the first ten thousand, as a bitmap would.
-- Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('transaction_read_only', 'on', true), set_config('lock_timeout', '1s', true),
  set_config('statement_timeout', '5s', true), set_config('enable_bitmapscan', 'off', true)
