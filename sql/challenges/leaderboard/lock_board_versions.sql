-- The publish lock. $1 boards. Rows: one a board. Locks: those rows, in order of id.
-- A statement of its own, ahead of the one that reads the entries: a publisher that had to wait
-- would otherwise publish from a snapshot older than what the other one published.
select challenge_id from board_version
where challenge_id = any ($1)
order by challenge_id
for update
