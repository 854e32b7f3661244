-- Sets who acts in the rest of this transaction, as this program knows it: $1 the user of the operating system, $2 the
-- machine, $3 the program. Rows: one. Locks: none. Lasts until the end of the transaction.
select set_config('baton.os_user', $1, true), set_config('baton.host', $2, true),
  set_config('baton.program', $3, true)
