-- Boards whose ranks changed since the last notification of their members, locked against publishing. $1 the last board
-- of the previous step, $2 how many. Rows: challenge id. Locks: their publish locks, in order of id; a publisher that
-- holds one is waited for. Index: board_version_untold.
select challenge_id from board_version
where not is_told and challenge_id > $1
order by challenge_id
limit $2
for update
