-- Sets the person, host and program that the audit log records for this transaction. $1: the operating system user. $2:
-- the host. $3: the program's name. Rows: one row. Locks: none. The settings last until the transaction ends.
select set_config('baton.os_user', $1, true), set_config('baton.host', $2, true),
  set_config('baton.program', $3, true)
