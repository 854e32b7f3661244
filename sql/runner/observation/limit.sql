-- Settings for a transaction that reads figures and lists. It changes nothing and waits at most 1 s for a lock. It uses
-- no bitmap scan, which would collect the places of all rows of an index before it stops at the first ten thousand. A
-- statement may take 5 s, or less if the transaction has a shorter limit already, as those of pages have. Rows: one.
-- Locks: none. Lasts until the end of the transaction.
select set_config('transaction_read_only', 'on', true), set_config('lock_timeout', '1s', true),
  set_config('statement_timeout',
    case when current_setting('statement_timeout')::interval between interval '1 ms' and interval '5 s'
      then current_setting('statement_timeout') else '5s' end, true),
  set_config('enable_bitmapscan', 'off', true)
