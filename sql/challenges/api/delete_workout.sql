-- Takes a workout back. $1 actor, $2 workout, $3 revision. Rows: one. Locks: docs/write-path.md.
select outcome::text, reason, week_start::text, is_replayed
from delete_workout($1, $2, $3)
