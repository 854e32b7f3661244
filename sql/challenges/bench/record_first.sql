-- Records one workout for each member, because the benchmark measures calls that update existing rows. Rows: one row
-- with the number of members. Locks: see docs/internals/write-path.md.
select count(*) from users u, record_workout(u.id, 'first')
