-- Reads the data from which a group's boards for a week can be derived as of any point in time. $1: the group's id. $2:
-- any day of the week, or null for the current week. $3: a user whose uncounted workouts are included, or null. Rows:
-- one row with JSON (times in microseconds since 1970). If the group does not exist, no rows are returned. Locks: none.
-- The ledger is read from the Sunday 85 days before the week's Monday. If an older workout has changed since the week
-- began, the ledger is read from the last Sunday on or before that workout's date. The stored streak of the last
-- earlier day includes all workouts before the first date that is read. Indexes: challenge_board, member_pkey,
-- membership_pkey, sharing_pause_pkey, workout_local_date, workout_pkey, workout_revision_pkey, workout_day_pkey,
-- reported_streak_pkey, entry_pkey, standing_pkey, week_reopening_week.
with week as materialized (
  select at, (day - (extract(isodow from day)::integer - 1)) as monday
  from (
    select at, coalesce($2::text::date, (at at time zone 'UTC')::date) as day
    from (select domain_now() as at) clock
  ) m
),
who as materialized (
  select m.user_id, m.joined_at, u.display_name,
    -- If retention has deleted old workouts, the ledger starts later, but the stored days still include the deleted
    -- workouts.
    greatest(
      least(w.monday - 85, (
        select min(r.local_date - extract(dow from r.local_date)::integer) from workout_revision r
        where r.user_id = m.user_id and r.counted
          and r.superseded_at >= w.monday::timestamp at time zone 'UTC')),
      least(
        (select min(l.local_date) from workout l
          where l.user_id = m.user_id and l.group_id = m.group_id and l.counted),
        (select min(r.local_date) from workout_revision r
          where r.user_id = m.user_id and r.group_id = m.group_id and r.counted))) as horizon
  from week w
  join member m on m.group_id = $1::text
  join users u on u.id = m.user_id
),
version as (
  select l.user_id, l.workout_id, l.revision, l.group_id, l.performed_at, l.utc_offset_s, l.counted,
    l.outcome, l.reason, l.missed_board, l.is_deleted, l.received_at, null::timestamptz as superseded_at
  from week w, who
  join workout l on l.user_id = who.user_id
  where l.counted and l.group_id = $1::text and l.week_start <= w.monday
    and l.local_date between who.horizon and w.monday + 7
  union all
  select r.user_id, r.workout_id, r.revision, r.group_id, r.performed_at, r.utc_offset_s, r.counted,
    r.outcome, r.reason, r.missed_board, r.is_deleted, r.received_at, r.superseded_at
  from week w, who
  join workout_revision r on r.user_id = who.user_id
  where r.counted and r.group_id = $1::text and r.week_start <= w.monday
    and r.local_date between who.horizon and w.monday + 7
  union all
  select l.user_id, l.workout_id, l.revision, l.group_id, l.performed_at, l.utc_offset_s, l.counted,
    l.outcome, l.reason, l.missed_board, l.is_deleted, l.received_at, null
  from week w, workout l
  where l.user_id = $3::text and l.week_start = w.monday
    and (not l.counted or l.group_id is distinct from $1::text)
),
board as materialized (
  select c.* from week w join challenge c on c.group_id = $1::text and c.week_start = w.monday
)
select jsonb_build_object(
  'group', g.id, 'group_name', g.name, 'week_start', w.monday, 'now', in_microseconds(w.at),
  'kept_from', in_microseconds(
    week_of(w.at - in_seconds(s.board_age) - interval '1 microsecond')::timestamp at time zone 'UTC'),
  'check_ins_a_day', s.max_checkins_per_day, 'check_ins_rank', s.check_ins_rank,
  'streak_rank', s.streak_rank, 'streak_policy', s.streak_policy, 'streak_source', s.streak_source,
  'boards', coalesce((
    select jsonb_agg(jsonb_build_object('type', type, 'state', state,
      'created_at', in_microseconds(created_at), 'closed_at', in_microseconds(closed_at),
      'is_waiting', state = 'open' and (
        exists (select from pending_key p
          where p.topic = 'entry.changed' and p.kind = 'event' and p.key = board.id::text)
        or exists (select from pending_key p
          where p.job = 'recompute-ranks' and p.kind in ('run', 'dead run') and p.key = board.id::text)
        or not exists (select from own_position))) order by type)
    from board), '[]'),
  'reopenings', coalesce((
    select jsonb_agg(jsonb_build_object('closed_at', in_microseconds(r.closed_at),
      'reopened_at', in_microseconds(r.reopened_at)) order by r.id)
    from week_reopening r
    where r.week_start = w.monday and r.group_id = g.id and r.closed_at is not null), '[]'),
  'members', coalesce((
    select jsonb_agg(jsonb_build_object('user', who.user_id, 'name', who.display_name,
      'joined_at', in_microseconds(who.joined_at),
      'stays', coalesce((
        select jsonb_agg(jsonb_build_object('from', in_microseconds(i.joined_at),
          'until', in_microseconds(i.left_at)) order by i.joined_at)
        from membership i
        where i.group_id = g.id and i.user_id = who.user_id), '[]'),
      'pauses', coalesce((
        select jsonb_agg(jsonb_build_object('from', in_microseconds(p.began_at),
          'until', in_microseconds(p.ended_at)) order by p.began_at)
        from sharing_pause p
        where p.user_id = who.user_id), '[]'),
      'reported', coalesce((
        select jsonb_agg(jsonb_build_object('days', r.streak_days, 'at', in_microseconds(r.reported_at))
          order by r.id)
        from reported_streak r
        where r.user_id = who.user_id and r.group_id = g.id and r.week_start = w.monday), '[]'),
      'carried', (
        select jsonb_build_object('date', d.local_date - date '1970-01-01', 'streak', d.streak,
          'first_at', in_microseconds(d.first_at), 'first_offset', d.first_offset_s,
          'last_at', in_microseconds(d.last_at), 'last_offset', d.last_offset_s)
        from workout_day d
        where d.user_id = who.user_id and d.group_id = g.id
          and d.local_date between who.horizon - 2 and who.horizon - 1
          -- Retention never deletes ledger rows that are less than 84 days old, so stored days are needed only for
          -- older dates.
          and d.local_date < (w.at at time zone 'UTC')::date - 84
        order by d.local_date desc, d.week_start desc
        limit 1)))
    from who), '[]'),
  'workouts', coalesce((
    select jsonb_agg(jsonb_build_object('user', v.user_id, 'workout', v.workout_id,
      'group', v.group_id, 'performed_at', in_microseconds(v.performed_at),
      'utc_offset', v.utc_offset_s, 'is_counted', v.counted, 'outcome', v.outcome, 'reason', v.reason,
      'missed_board', v.missed_board, 'is_deleted', v.is_deleted,
      'from', in_microseconds(v.received_at), 'until', in_microseconds(v.superseded_at)))
    from version v), '[]'),
  'entries', coalesce((
    select jsonb_agg(jsonb_build_object('type', b.type, 'user', e.user_id, 'value', e.value,
      'reached_at', in_microseconds(e.reached_at), 'is_hidden', e.hidden))
    from board b
    join entry e on e.challenge_id = b.id), '[]'),
  'standings', coalesce((
    select jsonb_agg(jsonb_build_object('type', b.type, 'user', t.user_id,
      'name', coalesce(u.display_name, t.display_name), 'value', t.value, 'rank', t.rank,
      'position', t.position) order by b.type, t.position)
    from board b
    join standing t on t.challenge_id = b.id
    left join users u on u.id = t.user_id), '[]')
)::text
from week w
join groups g on g.id = $1::text
cross join setting s
