-- Records one workout with the record_workout function, as all APIs do. $1: the user's id. $2: the workout's id. $3:
-- the completion time. $4: the UTC offset in seconds. Rows: one row with the outcome of the workout and the reason.
-- Locks: see docs/internals/write-path.md.
select outcome::text, reason from record_workout($1, $2, $3, $4)
