-- Closes boards, and notifies each member once of the week's result. $1: all boards of each group's week, which must
-- have final standings. $1 must not contain two weeks of the same group. Rows: one row with the numbers of closed
-- weeks, notified members, weeks without entries, and weeks that were closed too late for notifications. Locks: none.
-- The caller must have locked the boards FOR UPDATE. For each group, members and standings are read through an index. A
-- join of all members with all standings took 0.4 s for 200 groups. A notification stores only the member's scores.
-- visible_notification adds the data of closed_week. Indexes: challenge_pkey, standing_pkey, member_pkey,
-- closed_week_pkey.
with moment as materialized (
  select at, day_partition(at) as partition from (select domain_now() as at) m
),
closed as (
  update challenge c
  set state = 'closed', closed_at = m.at
  from moment m
  where c.id = any ($1) and c.state = 'open'
  returning c.id, c.group_id, c.week_start, c.type, c.ends_at
),
week as materialized (
  select group_id, week_start, min(ends_at) as ends_at,
    (array_agg(id) filter (where type = 'check-ins'))[1] as check_ins,
    (array_agg(id) filter (where type = 'streak'))[1] as streak
  from closed
  group by group_id, week_start
),
-- The four lists are members (0), check-in standings (1), streak standings (2), and the ranks of the previous week (3).
-- Standings include former members.
score as materialized (
  select w.group_id, w.week_start, s.*
  from week w
  cross join lateral (
    select user_id, min(source) = 0 as is_member, max(name) as name,
      max(rank) filter (where source = 1) as rank,
      max(value) filter (where source = 1) as value,
      max(position) filter (where source = 1) as position,
      max(rank) filter (where source = 2) as streak_rank,
      max(value) filter (where source = 2) as streak_value,
      max(position) filter (where source = 2) as streak_position,
      max(rank) filter (where source = 3) as previous_rank,
      max(value) filter (where source = 3) as previous_streak_rank
    from (
      select m.user_id::text, 0 as source, null::integer as rank, null::integer as value,
        null::integer as position, null as name
      from member m
      where m.group_id = w.group_id and m.left_at is null
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and (m.joined_at < w.ends_at or m.joined_at > (select at + interval '1 minute' from moment))
      union all
      select user_id, case challenge_id when w.check_ins then 1 else 2 end, rank, value, position,
        display_name
      from standing
      where challenge_id = any (array[w.check_ins, w.streak])
      union all
      select p.user_id, 3, p.check_ins_rank, p.streak_rank, null, null
      from closed_week n, unnest(n.members, n.check_ins_ranks, n.streak_ranks)
        p (user_id, check_ins_rank, streak_rank)
      where n.group_id = w.group_id and n.week_start = w.week_start - 7
    ) source
    group by user_id
    having min(source) < 3
  ) s
),
outcome as materialized (
  select group_id, week_start, count(rank) + count(streak_rank) > 0 as is_played,
    jsonb_build_object(
      'check-ins', jsonb_build_object('participants', count(rank), 'winners', coalesce(
        jsonb_agg(jsonb_build_object('user', user_id, 'name', name) order by position)
          filter (where rank = 1), '[]')),
      'streak', jsonb_build_object('participants', count(streak_rank), 'winners', coalesce(
        jsonb_agg(jsonb_build_object('user', user_id, 'name', name) order by streak_position)
          filter (where streak_rank = 1), '[]'))) as boards,
    array_agg(user_id) as members, array_agg(rank) as check_ins_ranks,
    array_agg(streak_rank) as streak_ranks
  from score
  group by group_id, week_start
),
result as materialized (
  select w.group_id, w.week_start, coalesce(o.is_played, false) as is_played,
    coalesce(o.is_played, false) and w.ends_at > m.at - interval '7 days' as is_told,
    o.boards, o.members, o.check_ins_ranks, o.streak_ranks, m.at
  from moment m, week w
  left join outcome o on o.group_id = w.group_id and o.week_start = w.week_start
),
closed_weeks as (
  insert into closed_week as n (group_id, week_start, is_told, closed_at, content, members,
    check_ins_ranks, streak_ranks)
  select group_id, week_start, is_told, at, case when is_told then
    jsonb_build_object('label', to_char(week_start, 'IYYY-"W"IW'), 'boards', boards) end,
    members, check_ins_ranks, streak_ranks
  from result
  -- When a reopened week is closed, members are not notified again. When the next week is closed, its ranks are
  -- compared with the ranks that are stored here.
  on conflict (week_start, group_id) do update
  set closings = n.closings + 1, members = excluded.members,
    check_ins_ranks = excluded.check_ins_ranks, streak_ranks = excluded.streak_ranks
  returning case when n.is_told and closings = 1 then group_id end as told_group
),
sent as (
  insert into notification (partition, created_at, user_id, group_id, type, week_start, scores, content,
    changed_at)
  select m.partition, m.at, s.user_id, s.group_id, 'week_ended', s.week_start,
    array[s.rank, s.value, s.previous_rank, s.streak_rank, s.streak_value, s.previous_streak_rank],
    '{}', m.at
  from moment m, score s
  where s.is_member and s.group_id in (select told_group from closed_weeks)
  returning 1
)
select (select count(*) from result), (select count(*) from sent),
  (select count(*) from result where not is_played),
  (select count(*) from result where is_played and not is_told)
