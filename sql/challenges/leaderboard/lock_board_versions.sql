-- Acquires the publish locks of boards. $1: the ids of the boards. Rows: one for each board. Locks: the rows of
-- board_version, in order of id. A later statement must read the entries. If one statement did both, a publisher that
-- waited for another publisher would publish from an older snapshot than the other publisher.
select challenge_id from board_version
where challenge_id = any ($1)
order by challenge_id
for update
