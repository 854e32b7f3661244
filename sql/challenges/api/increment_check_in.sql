-- One more check-in. $1 actor, $2 challenge, $3 key or null. Rows: one. Locks: docs/write-path.md.
select outcome::text, reason, week_start::text, is_replayed
from increment_check_in($1, $2, $3)
