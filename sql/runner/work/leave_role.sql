-- Restores the transaction's role after enter_role. $1: the role that enter_role has returned. Rows: one row. Locks:
-- none.
select set_config('role', $1, true)
