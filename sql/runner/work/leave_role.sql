-- Lets the transaction act as the role $1 again, which enter_role has returned. Rows: one row. Locks: none.
select set_config('role', $1, true)
