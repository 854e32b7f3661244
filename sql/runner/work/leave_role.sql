-- Lets the rest of a transaction act again as the role $1, which enter_role has returned. Rows: one. Locks: none.
select set_config('role', $1, true)
