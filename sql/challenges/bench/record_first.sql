-- One workout of each member, so that what is measured later writes what is there.
-- Rows: one: members. Locks: docs/internals/write-path.md.
select count(*) from users u, record_workout(u.id, 'first')
