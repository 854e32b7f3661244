-- Reopens the boards of a closed week. $1 group (its id or its name), $2 its Monday, $3 reason,
-- $4 for how many seconds. Rows: one: boards reopened. ZB020 no reason, ZB021 bad time, ZB022 no
-- closed board. Locks: the boards.
select reopen_week(coalesce((select id from groups where id = $1 or name = $1 order by id <> $1 limit 1), $1),
  $2::text::date, $3, $4 * interval '1 second')
