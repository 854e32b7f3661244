-- Records one workout, as any API does. $1 user, $2 workout id, $3 performed at, $4 UTC offset in s. Rows: one:
-- outcome, reason. Locks: docs/internals/write-path.md.
select outcome::text, reason from record_workout($1, $2, $3, $4)
