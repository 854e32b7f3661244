-- Adds seven to the value of one member on every board, so that each board gets one event. $1: the member's number,
-- from 1 to 10. Rows: one row for each changed entry. Locks: the changed entries.
update entry
set value = value + 7, reached_at = now(), last_updated = now()
where user_id = 'user-' || $1::bigint
