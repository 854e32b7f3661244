-- Locks a group's open boards for a week and later weeks, so that no transaction closes them. $1: the group's id. $2:
-- the week's Monday. Rows: the id of each locked board. Locks: the returned boards, FOR KEY SHARE. Index:
-- challenge_board.
select id from challenge
where group_id = $1 and week_start >= $2::text::date and state = 'open'
order by week_start, type
for key share
