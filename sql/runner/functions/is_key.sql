-- Returns whether a text can be a run key. NULL for NULL. Every function and trigger that enqueues runs or records
-- events calls this function. The planner inlines the function, so a trigger needs no function call. The function does
-- not use BETWEEN, because a restored dump would contain a different expression. Locks: none.
create or replace function is_key(key text) returns boolean
language sql immutable
return octet_length(key) >= 1 and octet_length(key) <= 256 and key !~ e'[\\x01-\\x1f\\x7f]'
