-- The template evaluates a condition on the empty table that check_condition creates, as the role that will own the
-- trigger's functions. If the owner of a trigger's functions lacks a privilege, every write to the declared table
-- fails. The caller resets the role by rolling back to a savepoint. Rows: none. Locks: none on the declared table.
grant select on {scratch} to {definer};
set local role {definer};
select from {scratch} where ({condition})
