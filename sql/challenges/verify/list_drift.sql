-- Lists the differences between boards and the ledger in one snapshot. $1: the Mondays. $2: the group for each Monday.
-- Rows: kind, group, Monday, type, state, user, actual value, expected value. Locks: none. While a board's ranks are
-- waiting to be recomputed, the board's standings are not compared. On closed boards, the times when values were
-- reached are not compared. The values of a closed board are compared only if the close certainly included all changes
-- to the ledger (kept_value). On a reopened board, only values are compared, because members and names stay as they
-- were at the close. Streaks are counted from ten weeks of workouts and the stored streak of the preceding day, which
-- includes older workouts. Indexes: challenge_board, member_pkey, users_pkey, workout_local_date, entry_pkey,
-- standing_pkey.
with pair as materialized (
  select week_start, p.group_id, bool_and(c.state = 'open') as is_open, max(c.closed_at) as closed_at,
    greatest(week_start - 70, (select (domain_now() at time zone 'UTC')::date - 84)) as horizon
  from (select w::date as week_start, g as group_id from unnest($1::text[], $2::text[]) p (w, g)) p
  join challenge c using (week_start, group_id)
  where c.state <> 'cancelled'
  group by 1, 2
),
board as materialized (
  select c.id, c.group_id, c.week_start, c.type, c.state, p.is_open,
    c.state = 'open' and c.reopened_until is null as follows_users,
    case c.type when 'check-ins' then s.check_ins_rank else s.streak_rank end as policy
  from pair p
  join challenge c using (week_start, group_id), setting s
  where c.state <> 'cancelled'
),
counted as (
  select p.week_start as week, p.group_id, w.user_id, w.performed_at, w.week_start,
    row_number() over (partition by p.week_start, p.group_id, w.user_id, w.local_date
      order by w.performed_at, w.utc_offset_s) as nth
  from pair p
  join member m on m.group_id = p.group_id
  join workout w on w.user_id = m.user_id and w.group_id = p.group_id and w.counted
    and w.local_date between p.week_start - 1 and p.week_start + 7 and w.week_start <= p.week_start
    and (p.is_open or not w.missed_board or w.week_start <> p.week_start)
),
check_ins as (
  select c.week, c.group_id, c.user_id, 'check-ins'::challenge_type as type, count(*)::integer as value,
    max(c.performed_at) as at
  from counted c, setting s
  where c.week_start = c.week and (s.max_checkins_per_day = 0 or c.nth <= s.max_checkins_per_day)
  group by 1, 2, 3
),
-- This query lists the days of the week that have a workout, and the last earlier day with its streak.
day as (
  select p.week_start as week, p.group_id, w.user_id, w.local_date, null::integer as base,
    min(w.performed_at) as first_at,
    (array_agg(w.utc_offset_s order by w.performed_at, w.utc_offset_s))[1] as first_offset_s,
    max(w.performed_at) as last_at,
    (array_agg(w.utc_offset_s order by w.performed_at desc, w.utc_offset_s desc))[1]
      as last_offset_s,
    min(w.performed_at) filter (where w.week_start = p.week_start) as in_week_at
  from pair p
  join member m on m.group_id = p.group_id
  join workout w on w.user_id = m.user_id and w.group_id = p.group_id and w.counted
    and w.local_date between p.horizon and p.week_start + 7 and w.week_start <= p.week_start,
    setting s
  where s.streak_policy <> 'weekOnly' or w.week_start = p.week_start
  group by 1, 2, 3, 4
  union all
  select p.week_start, p.group_id, m.user_id, d.local_date, d.streak, d.first_at, d.first_offset_s,
    d.last_at, d.last_offset_s, null
  from pair p
  join member m on m.group_id = p.group_id
  cross join setting s
  cross join lateral (
    select * from workout_day d
    where d.user_id = m.user_id and d.group_id = m.group_id
      and d.local_date between p.horizon - 2 and p.horizon - 1
    order by d.local_date desc, d.week_start desc
    limit 1
  ) d
  where s.streak_policy <> 'weekOnly'
),
broken as (
  select d.*, case
    when local_date = lag(local_date) over days + 1 then 0
    when local_date = lag(local_date) over days + 2
      and first_at - lag(last_at) over days < interval '30 hours'
      and first_offset_s <> lag(last_offset_s) over days then 0
    else 1 end as breaks
  from day d
  window days as (partition by week, group_id, user_id order by local_date)
),
island as (
  select b.*, sum(breaks) over (partition by week, group_id, user_id order by local_date) as nth
  from broken b
),
run_of_days as (
  select i.*, least(
    row_number() over (partition by week, group_id, user_id, nth order by local_date)
      + coalesce(max(base) over (partition by week, group_id, user_id, nth) - 1, 0),
    case s.streak_policy when 'weekOnly' then 7 end)::integer as streak
  from island i, setting s
),
aimed as (
  select r.*, case s.streak_policy
    when 'lastRun' then first_value(streak) over (
      partition by week, group_id, user_id order by local_date desc)
    else max(streak) over (partition by week, group_id, user_id) end as value
  from run_of_days r, setting s
  where in_week_at is not null
),
streak as (
  select week, group_id, user_id, 'streak'::challenge_type as type, value,
    (array_agg(in_week_at order by local_date) filter (where streak = value))[1] as at
  from aimed, setting s
  where s.streak_source = 'ledger'
  group by week, group_id, user_id, value
  union all
  select p.week_start, p.group_id, m.user_id, 'streak', r.streak_days, r.reported_at
  from pair p
  join member m on m.group_id = p.group_id
  join setting s on s.streak_source = 'reported'
  cross join lateral (
    select * from reported_streak r
    where r.user_id = m.user_id and r.group_id = m.group_id and r.week_start = p.week_start
    order by r.id desc
    limit 1
  ) r
),
ought as (
  select b.id, x.user_id, x.value, x.at
  from (select * from check_ins union all select * from streak) x
  join board b on b.week_start = x.week and b.group_id = x.group_id and b.type = x.type
),
here as (
  select e.* from entry e where e.challenge_id = any (array(select id from board))
),
value_drift as (
  select b.*, coalesce(o.user_id, e.user_id) as user_id, e.value as is_value, o.value as ought_value,
    e.reached_at as is_at, o.at as ought_at
  from ought o
  full join here e on e.challenge_id = o.id and e.user_id = o.user_id
  join board b on b.id = coalesce(o.id, e.challenge_id)
  where coalesce(e.value, 0) <> coalesce(o.value, 0)
    or b.state = 'open' and o.value > 0 and e.reached_at <> o.at
),
-- Late workouts and edits can change the streak in the ledger, but not the closed board. If check-ins per day are
-- limited, an edit or a deletion can also change the number of check-ins in the ledger. The entry of a deleted account
-- keeps its value, even on a reopened board.
kept_value as (
  select v.* from value_drift v
  join pair p on p.week_start = v.week_start and p.group_id = v.group_id
  cross join setting s
  where not (v.user_id like 'former-%' and not exists (select from users u where u.id = v.user_id))
    and (v.state = 'open'
      or v.type = 'check-ins' and s.max_checkins_per_day = 0
      or not exists (
        select from workout_revision r
        where r.user_id = v.user_id and r.superseded_at > p.closed_at - interval '1 hour')
      and (v.type = 'check-ins' or v.week_start > p.horizon + 7 and not exists (
        select from workout w
        where w.user_id = v.user_id and w.group_id = v.group_id and w.week_start <= v.week_start
          and (w.received_at > p.closed_at - interval '1 hour'
            or w.missed_board and w.week_start = v.week_start))))
),
-- This query lists the users in the entries, and whether the entries are hidden. On an open board, the name and the
-- hidden state depend on the current members.
shown_drift as (
  select b.*, e.user_id, k.kind, k.is_now, k.ought
  from here e
  join board b on b.id = e.challenge_id and b.follows_users
  join member m on m.group_id = b.group_id and m.user_id = e.user_id
  join users u on u.id = e.user_id
  cross join lateral (values
    ('hidden', e.hidden::text, (m.left_at is not null or not u.shares_workouts)::text),
    ('name', e.display_name, u.display_name),
    ('photo', coalesce(e.photo_url, 'none'), coalesce(u.photo_url, 'none'))
  ) k (kind, is_now, ought)
  where k.is_now <> k.ought
),
pending as materialized (
  select b.id from board b
  where b.state = 'open' and (
    b.id::text in (select key from pending_key where topic = 'entry.changed' and kind = 'event')
    or b.id::text in (
      select key from pending_key
      where job = 'recompute-ranks' and kind = 'run'
        and key = any (array(select id::text from board)))
    or b.id::text in (
      select key from pending_key where job = 'recompute-ranks' and kind = 'dead run')
    or not exists (select from own_position))
),
ranked as (
  select e.challenge_id, e.user_id, e.value, e.display_name, e.photo_url,
    (case b.policy
      when 'competition' then rank() over board
      when 'dense' then dense_rank() over board
      else row_number() over sorted end)::integer as rank,
    (row_number() over sorted)::integer as position
  from here e
  join board b on b.id = e.challenge_id
  where e.value > 0 and not e.hidden
  window board as (partition by e.challenge_id order by e.value desc),
    sorted as (partition by e.challenge_id
      order by e.value desc, e.reached_at, e.joined_at, e.user_id)
),
rank_drift as (
  select b.*, coalesce(r.user_id, s.user_id) as user_id, s.value as is_value, r.value as ought_value,
    s.rank as is_rank, r.rank as ought_rank,
    case b.state when 'open' then s.position end as is_position,
    case b.state when 'open' then r.position end as ought_position,
    s.display_name as is_name, r.display_name as ought_name,
    s.photo_url as is_photo, r.photo_url as ought_photo
  from ranked r
  full join (
    select * from standing where challenge_id = any (array(select id from board))
  ) s on s.challenge_id = r.challenge_id and s.user_id = r.user_id
  join board b on b.id = coalesce(r.challenge_id, s.challenge_id)
  where b.id not in (select id from pending)
    and ((s.value, s.rank, s.display_name, s.photo_url)
        is distinct from (r.value, r.rank, r.display_name, r.photo_url)
      or b.state = 'open' and s.position <> r.position)
)
select kind, group_id::text, week_start::text, type::text, state::text, user_id::text, is_now, ought
from (
  select case when coalesce(is_value, 0) <> coalesce(ought_value, 0) then 'value' else 'reached_at' end
      as kind, group_id, week_start, type, state, user_id,
    case when coalesce(is_value, 0) <> coalesce(ought_value, 0) then coalesce(is_value, 0)::text
      else iso_text(is_at) end as is_now,
    case when coalesce(is_value, 0) <> coalesce(ought_value, 0) then coalesce(ought_value, 0)::text
      else iso_text(ought_at) end as ought
  from kept_value
  union all
  select kind, group_id, week_start, type, state, user_id, is_now, ought from shown_drift
  union all
  -- For each row, only the first difference is listed.
  select k.kind, group_id, week_start, type, state, user_id, coalesce(k.is_now, 'none'),
    coalesce(k.ought, 'none')
  from rank_drift
  cross join lateral (
    select * from (values
      (1, 'published value', is_value::text, ought_value::text),
      (2, 'rank', is_rank::text, ought_rank::text),
      (3, 'position', is_position::text, ought_position::text),
      (4, 'published name', is_name, ought_name),
      (5, 'published photo', is_photo, ought_photo)
    ) k (nth, kind, is_now, ought)
    where k.is_now is distinct from k.ought
    order by nth
    limit 1
  ) k
) d
order by week_start, group_id, type, user_id, kind
