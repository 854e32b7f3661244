-- The publish lock. $1 boards. Rows: one for each board. Locks: those rows, in order of id. It is a separate statement
-- before the one that reads the entries: otherwise a publisher that had to wait would publish from a snapshot older
-- than the one the other publisher used.
select challenge_id from board_version
where challenge_id = any ($1)
order by challenge_id
for update
