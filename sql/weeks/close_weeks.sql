-- Closes boards and tells each member of their groups once how the week ended.
-- $1 boards: whole weeks of groups, with standings that are final.
-- Rows: one: weeks closed, members told, weeks closed silently for want of an entry, weeks closed
-- too late to tell. Locks: held; the caller holds the boards FOR UPDATE.
-- Indexes: challenge_pkey, challenge_board, standing_pkey, member_pkey.
with moment as materialized (
  select at, day_slot(at) as slot from (select domain_now() as at) m
),
closed as (
  update challenge c
  set state = 'closed', closed_at = m.at
  from moment m
  where c.id = any ($1) and c.state = 'open'
  returning c.id, c.group_id, c.week_start, c.type, c.ends_at
),
board as materialized (
  select c.*, p.id as previous_id, w.winners, w.participants
  from closed c
  left join challenge p
    on p.group_id = c.group_id and p.week_start = c.week_start - 7 and p.type = c.type
  cross join lateral (
    select count(*) as participants,
      jsonb_agg(jsonb_build_object('user', s.user_id, 'name', s.display_name) order by s.position)
        filter (where s.rank = 1) as winners
    from standing s
    where s.challenge_id = c.id
  ) w
),
week as materialized (
  select b.group_id, b.week_start, min(b.ends_at) as ends_at, sum(b.participants) > 0 as is_played,
    min(b.ends_at) > min(m.at) - interval '7 days' as is_fresh,
    to_char(b.week_start, 'IYYY-"W"IW') as label,
    to_char(b.week_start, '"Week "FMIW" has ended"') as ended,
    jsonb_object_agg(b.type,
      jsonb_build_object('participants', b.participants, 'winners', coalesce(b.winners, '[]')))
      as boards
  from board b, moment m
  group by b.group_id, b.week_start
),
noticed as (
  insert into week_notice (group_id, week_start, is_told, closed_at)
  select group_id, week_start, is_played and is_fresh, at from week, moment
  -- Closed again after a reopening: whoever was told is not told twice.
  on conflict do nothing
  returning group_id, week_start, is_told
),
previous as materialized (
  select b.id, l.user_id, l.rank
  from board b
  join standing l on l.challenge_id = b.previous_id
),
place as materialized (
  select b.group_id, b.week_start, b.type, s.user_id, s.rank, s.value, l.rank as previous_rank
  from board b
  join standing s on s.challenge_id = b.id
  left join previous l on l.id = b.id and l.user_id = s.user_id
),
mine as materialized (
  select coalesce(c.group_id, k.group_id) as group_id,
    coalesce(c.week_start, k.week_start) as week_start, coalesce(c.user_id, k.user_id) as user_id,
    jsonb_build_object(
      'check-ins', jsonb_build_object(
        'rank', c.rank, 'value', c.value, 'previous_rank', c.previous_rank),
      'streak', jsonb_build_object(
        'rank', k.rank, 'value', k.value, 'previous_rank', k.previous_rank)) as boards,
    ': you came ' || concat_ws(' and ', '#' || c.rank || ' in check-ins',
      '#' || k.rank || ' in streak') || '.' as ranks
  from (select * from place where type = 'check-ins') c
  full join (select * from place where type = 'streak') k
    on k.group_id = c.group_id and k.week_start = c.week_start and k.user_id = c.user_id
),
sent as (
  insert into notification (slot, created_at, user_id, group_id, type, content, changed_at)
  select t.slot, t.at, m.user_id, w.group_id, 'week_ended',
    jsonb_build_object('week_start', w.week_start, 'label', w.label, 'boards', w.boards,
      'you', coalesce(y.boards, '{}'),
      'message', w.ended || coalesce(y.ranks, '. See who won.')),
    t.at
  from moment t, noticed n
  join week w on w.group_id = n.group_id and w.week_start = n.week_start
  join member m on m.group_id = n.group_id
  left join mine y on y.group_id = m.group_id and y.week_start = n.week_start
    and y.user_id = m.user_id
  where n.is_told and m.left_at is null and m.joined_at < w.ends_at
  returning 1
)
select (select count(*) from week), (select count(*) from sent),
  (select count(*) from week where not is_played),
  (select count(*) from week where is_played and not is_fresh)
