-- One member of every board moves up by seven. $1 which, from 1 to 10. Rows: entries.
-- Locks: those rows. One event for each board.
update entry
set value = value + 7, reached_at = now(), last_updated = now()
where user_id = 'user-' || $1::bigint
