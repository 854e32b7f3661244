-- Acquires the publish locks of boards. $1: the ids of the boards. Rows: one for each board. Locks: the rows of
-- board_version, in order of id. The caller must read the entries in a separate statement after this one. If one
-- statement acquired the locks and read the entries, a publisher that waited for another publisher would read an
-- outdated snapshot.
select challenge_id from board_version
where challenge_id = any ($1)
order by challenge_id
for update
