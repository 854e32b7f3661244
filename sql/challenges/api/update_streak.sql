-- Tells a streak. $1 actor, $2 challenge, $3 days. Rows: one. Locks: docs/write-path.md.
select outcome::text, reason, week_start::text, is_replayed
from update_streak($1, $2, $3)
