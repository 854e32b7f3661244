-- Contains the rows of boards that an app shows: published standings with the board's group, week and type. If
-- setting.include_zero is true, members without a workout are included and share the last rank. An ended week includes
-- the members at the end of the week, and the current week includes the current members. Because of PARTITION BY, a
-- query for one board reads only that board's rows.
create or replace view leaderboard with (security_invoker = true) as
select c.group_id, c.week_start, c.type, s.challenge_id, s.user_id, s.display_name, s.photo_url,
  s.value, s.rank, s.position, s.last_updated
from standing s
join challenge c on c.id = s.challenge_id
union all
select c.group_id, c.week_start, c.type, c.id, m.user_id, u.display_name, u.photo_url, 0,
  (case case c.type when 'check-ins' then p.check_ins_rank else p.streak_rank end
    when 'competition' then last.position + 1
    when 'dense' then last.rank + 1
    else last.position + row_number() over board end)::integer,
  (last.position + row_number() over board)::integer, m.joined_at
from challenge c
join member m on m.group_id = c.group_id and m.joined_at < c.ends_at
  and (m.left_at is null or c.state = 'closed' and m.left_at >= c.ends_at)
join users u on u.id = m.user_id and u.shares_workouts
cross join setting p
cross join lateral (
  select coalesce(max(s.rank), 0) as rank, coalesce(max(s.position), 0) as position
  from standing s
  where s.challenge_id = c.id
) last
where (select include_zero from setting) and c.state <> 'cancelled'
  and not exists (
    select from standing s where s.challenge_id = c.id and s.user_id = m.user_id)
window board as (
  partition by c.group_id, c.week_start, c.type, c.id order by m.joined_at, m.user_id)
