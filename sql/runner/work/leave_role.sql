-- Lets the rest of a transaction act as the role $1 again, which enter_role has answered. Rows: one. Locks: none.
select set_config('role', $1, true)
