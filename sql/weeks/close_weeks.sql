-- Closes boards and tells each member of their groups once how the week ended.
-- $1 boards: whole weeks of groups, with standings that are final; no group twice.
-- Rows: one: weeks closed, members told, weeks closed silently for want of an entry, weeks closed
-- too late to tell. Locks: held; the caller holds the boards FOR UPDATE.
-- Indexes: challenge_pkey, challenge_board, standing_pkey, member_pkey.
-- From group to members and standings, by index: joined as sets, a plan made for few rows compares each
-- with each, 0.4 s for 200 groups. A notice is text read as JSON once, half of what its parts take. It
-- holds what concerns its member; the group's part is in week_notice, visible_notification shows both.
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
  select c.group_id, c.week_start, min(c.ends_at) as ends_at,
    (array_agg(c.id) filter (where c.type = 'check-ins'))[1] as check_ins,
    (array_agg(c.id) filter (where c.type = 'streak'))[1] as streak,
    sum(w.participants) > 0 as is_played,
    jsonb_object_agg(c.type,
      jsonb_build_object('participants', w.participants, 'winners', coalesce(w.winners, '[]')))
      as boards
  from closed c
  cross join lateral (
    select count(*) as participants,
      jsonb_agg(jsonb_build_object('user', s.user_id, 'name', s.display_name) order by s.position)
        filter (where s.rank = 1) as winners
    from standing s
    where s.challenge_id = c.id
  ) w
  group by c.group_id, c.week_start
),
week as materialized (
  select b.*, b.ends_at > m.at - interval '7 days' as is_fresh,
    (select id from challenge p where p.group_id = b.group_id
      and p.week_start = b.week_start - 7 and p.type = 'check-ins') as previous_check_ins,
    (select id from challenge p where p.group_id = b.group_id
      and p.week_start = b.week_start - 7 and p.type = 'streak') as previous_streak,
    '{"week_start": "' || b.week_start || '", "message": "'
      || to_char(b.week_start, '"Week "FMIW" has ended"') as head
  from board b, moment m
),
noticed as (
  insert into week_notice (group_id, week_start, is_told, closed_at, content)
  select group_id, week_start, is_played and is_fresh, at, case when is_played and is_fresh then
    jsonb_build_object('label', to_char(week_start, 'IYYY-"W"IW'), 'boards', boards) end
  from week, moment
  -- Closed again after a reopening: whoever was told is not told twice.
  on conflict do nothing
  returning case when is_told then group_id end as told_group
),
told as materialized (
  select w.*, w.group_id in (select told_group from noticed) as is_told from week w
),
sent as (
  insert into notification (slot, created_at, user_id, group_id, type, content, changed_at)
  select t.slot, t.at, m.user_id, w.group_id, 'week_ended',
    (w.head
      || case when m.rank is null and m.streak_rank is null then '. See who won.", "you": {}}' else
        ': you came ' || concat_ws(' and ', '#' || m.rank || ' in check-ins',
            '#' || m.streak_rank || ' in streak')
          || '.", "you": {"check-ins": ' || coalesce('{"rank": ' || m.rank || ', "value": '
            || m.value || ', "previous_rank": ' || coalesce(m.previous::text, 'null') || '}', none)
          || ', "streak": ' || coalesce('{"rank": ' || m.streak_rank || ', "value": '
            || m.streak_value || ', "previous_rank": '
            || coalesce(m.previous_streak::text, 'null') || '}', none)
          || '}}'
      end)::jsonb,
    t.at
  from moment t, told w
  -- The group's members (0) with what check-ins (1), streak (2) and both of the week before (3, 4) say
  -- of them: one pass over five short lists takes less than a look into each board for each member.
  cross join lateral (
    select user_id,
      max(rank) filter (where board = 1) as rank,
      max(value) filter (where board = 1) as value,
      max(rank) filter (where board = 2) as streak_rank,
      max(value) filter (where board = 2) as streak_value,
      max(rank) filter (where board = 3) as previous,
      max(rank) filter (where board = 4) as previous_streak
    from (
      select e.user_id, 0 as board, null::integer as rank, null::integer as value
      from member e
      where e.group_id = w.group_id and e.left_at is null and e.joined_at < w.ends_at
      union all
      select user_id, case challenge_id when w.check_ins then 1 when w.streak then 2
        when w.previous_check_ins then 3 else 4 end, rank, value
      from standing
      where challenge_id = any (
        array[w.check_ins, w.streak, w.previous_check_ins, w.previous_streak])
    ) s
    group by user_id
    having bool_or(board = 0)
  ) m
  cross join (select '{"rank": null, "value": null, "previous_rank": null}' as none) n
  where w.is_told
  returning 1
)
select (select count(*) from week), (select count(*) from sent),
  (select count(*) from week where not is_played),
  (select count(*) from week where is_played and not is_fresh)
