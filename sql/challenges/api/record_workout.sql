-- Records a workout, new, edited or sent again. $1 actor, $2 workout, $3 performed at, $4 UTC offset in s,
-- $5 revision. Rows: one. Locks: docs/write-path.md.
select outcome::text, reason, week_start::text, is_replayed
from record_workout($1, $2, $3, $4, $5)
