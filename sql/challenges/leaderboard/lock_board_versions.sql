-- Acquires the publish locks of boards. $1: the ids of the boards. Rows: one for each board. Locks: the rows of
-- board_version, in the order of their ids. A later statement must read the entries. If one statement did both, a
-- publisher that had to wait for another publisher would use an older snapshot than the other publisher.
select challenge_id from board_version
where challenge_id = any ($1)
order by challenge_id
for update
