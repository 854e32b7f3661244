-- Reopens a closed week's boards. $1: the group's id or name. $2: the week's Monday. $3: the reason. $4: the duration
-- in seconds. Rows: one row with the number of reopened boards. Errors: ZB020 (no reason), ZB021 (invalid duration),
-- ZB022 (no closed board). Locks: the boards.
select reopen_week(coalesce((select id from groups where id = $1 or name = $1 order by id <> $1 limit 1), $1),
  $2::text::date, $3, $4 * interval '1 second')
