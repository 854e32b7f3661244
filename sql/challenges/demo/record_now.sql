-- Records a workout that ends now. $1 user, $2 workout id. Rows: one: the outcome. Locks: docs/internals/write-path.md.
select outcome::text from record_workout($1, $2)
