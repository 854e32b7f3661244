-- The open boards of a group from a week on, locked against a close. $1 group, $2 Monday. Rows: board. Locks: those
-- boards FOR KEY SHARE. Index: challenge_board.
select id from challenge
where group_id = $1 and week_start >= $2::text::date and state = 'open'
order by week_start, type
for key share
