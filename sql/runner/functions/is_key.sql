-- Returns whether a text can be the key of a run. NULL for NULL. Every way to enqueue a run and to record an event uses
-- this rule. The planner inlines the function, so triggers do not pay for a call. Locks: none.
create or replace function is_key(key text) returns boolean
language sql immutable
return octet_length(key) between 1 and 256 and key !~ e'[\\x01-\\x1f\\x7f]'
