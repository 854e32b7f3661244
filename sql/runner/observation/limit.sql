-- Sets up a transaction that only reads metrics and lists. Each statement of the transaction waits at most 1 s for a
-- lock. Each statement takes at most 5 s, or less if a shorter limit was already set. Bitmap scans are disabled,
-- because a bitmap scan reads all matching index entries. The statements of the transaction need only the first few
-- thousand rows. Rows: one row. Locks: none. The settings last until the transaction ends.
select set_config('transaction_read_only', 'on', true), set_config('lock_timeout', '1s', true),
  set_config('statement_timeout',
    case when current_setting('statement_timeout')::interval between interval '1 ms' and interval '5 s'
      then current_setting('statement_timeout') else '5s' end, true),
  set_config('enable_bitmapscan', 'off', true)
