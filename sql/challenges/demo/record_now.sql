-- Records a workout that was completed just now. $1: the user's id. $2: the workout's id. Rows: one row with the
-- outcome of record_workout. Locks: see docs/internals/write-path.md.
select outcome::text from record_workout($1, $2)
