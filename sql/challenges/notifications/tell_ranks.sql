-- Notifies members whose rank differs from the last notified rank. $1: the ids of the boards. If a member has left or
-- returned, the other members' last notified ranks are first corrected without notifications (docs/gymrats/weeks.md).
-- Rows: one row with the numbers of new, updated, deleted and postponed notifications. Locks: changed standings and
-- unread notifications. The caller must have acquired the publish locks of the boards in an earlier statement, to see
-- the last publisher's rows. If a reader has locked a notification to mark it as read, the notification counts as read.
-- FULL JOIN is used, because PostgreSQL never executes it as a nested loop. In a measurement, a nested loop took
-- several seconds for 400 boards. Indexes: standing_pkey, notification_N_pkey.
with moment as materialized (
  -- LIMIT helps the planner, which assumes hundreds of rows for a table that was never analyzed.
  select domain_now() as at, s.* from setting s limit 1
),
board as materialized (
  -- For a week that was closed before, or that ended more than 7 days ago, the statement does not create notifications.
  -- The statement records the current ranks as the last notified ranks.
  select c.id, c.group_id, c.week_start, c.type,
    case c.type when 'check-ins' then m.check_ins_rank else m.streak_rank end as policy,
    c.ends_at > m.at - interval '7 days'
      and not exists (select from closed_week w
        where w.group_id = c.group_id and w.week_start = c.week_start) as is_fresh
  from challenge c, moment m
  where c.id = any ($1) and c.state = 'open'
),
shown as materialized (
  select s.challenge_id, s.user_id, s.rank, s.value, s.position, s.display_name,
    count(*) over (partition by s.challenge_id) as participants,
    s.told_rank, s.told_value, s.told_at,
    s.notification_created_at, s.notification_id, s.notification_from, s.ctid as place
  from standing s
  where s.challenge_id = any ($1)
),
-- The `silent` CTE lists the members who have left or returned. The other members are not notified of the resulting
-- rank changes. With the `dense` policy, members with the same rank count as one member.
silent as materialized (
  select * from (
    select m.challenge_id, m.user_id, m.gone_rank, m.value, b.policy, s.position,
      max(m.gone_rank) over (partition by m.challenge_id, m.user_id) as was_at,
      row_number() over (
        partition by m.challenge_id, m.user_id, m.value is null order by m.id desc) as nth_of_user,
      row_number() over (
        partition by m.challenge_id, m.gone_rank, m.value order by m.id desc) as nth
    from silent_move m
    join board b on b.id = m.challenge_id
    left join shown s on s.challenge_id = m.challenge_id and s.user_id = m.user_id
    where m.challenge_id = any ($1)
      and (m.gone_rank is not null or s.rank is not null and s.told_rank is null)
  ) m
  where (m.gone_rank is not null or m.nth_of_user = 1)
    and (m.policy <> 'dense' or m.nth = 1 and not exists (
      select from shown o
      where o.challenge_id = m.challenge_id and o.told_rank is not null
        and (o.told_rank = m.gone_rank or o.told_value = m.value)))
),
-- The `shift` CTE contains, for each member, the number of places by which the last notified rank must be corrected.
shift as materialized (
  select s.challenge_id, s.user_id,
    sum(case when m.gone_rank is null then 1 else -1 end)::integer as places
  from silent m
  join shown s on s.challenge_id = m.challenge_id and s.user_id <> m.user_id
  where s.told_rank > m.gone_rank or s.told_value < m.value
    -- With the `unique` policy, members with equal values are compared by their last notified ranks. If the member who
    -- left or returned has no last notified rank, positions are compared.
    or m.policy = 'unique' and s.told_value = m.value and coalesce(m.was_at < s.told_rank, s.position > m.position)
  group by s.challenge_id, s.user_id
),
seen as materialized (
  select s.*, s.told_rank + coalesce(f.places, 0) as told, coalesce(f.places, 0) as moved_silently
  from shown s
  full join shift f on f.challenge_id = s.challenge_id and f.user_id = s.user_id
),
moved as materialized (
  select b.group_id, b.week_start, b.type, b.is_fresh, s.*
  from seen s
  join board b on b.id = s.challenge_id
  where (s.told, s.told_value) is distinct from (s.rank, s.value) or s.moved_silently <> 0
),
unread as materialized (
  select n.partition, n.created_at, n.id, n.challenge_id, n.user_id,
    n.content -> 'passed_by' as passed_by
  from moment m, moved d
  join notification n on n.partition = day_partition(d.notification_created_at)
    and n.created_at = d.notification_created_at and n.id = d.notification_id
  -- An expired notification counts as read.
  where d.notification_id is not null and (d.rank <> d.told or d.moved_silently <> 0)
    and not n.is_read
    and n.created_at > m.at - notification_lifetime()
  for update of n skip locked
),
-- The column `uncapped` contains the decision without the limit on notifications in 24 hours.
decided as materialized (
  select d.*, n.partition as notification_partition, n.passed_by, n.id is not null as has_unread,
    case when n.id is null then d.told else d.notification_from + d.moved_silently end
      as from_rank,
    case
      when d.told is null or d.told = d.rank or not d.is_fresh or d.participants < 2
        or e.is_muted
        -- A member whose own value decreased is not notified, even if the member's rank improves.
        or d.value < d.told_value
        -- With more than 1,000 participants on a board, members are notified only when they enter or leave the first 10
        -- or 100.
        or (d.participants > 1000 and not exists (
          select from unnest(array[10, 100]) line where (d.rank <= line) <> (d.told <= line)))
        then 'silent'
      -- A stored time in the future does not delay notifications, because it was recorded while the clock was wrong.
      when d.told_at + m.rank_change_cooldown > m.at and m.rank_change_cooldown > '0'
        and d.told_at <= m.at + interval '1 minute'
        then 'wait'
      else 'tell'
    end as uncapped
  from moment m, moved d
  full join unread n on n.challenge_id = d.challenge_id and n.user_id = d.user_id
  left join member e on e.group_id = d.group_id and e.user_id = d.user_id
),
-- The limit counts stored notifications, and the new notifications that the statement writes on other boards of the
-- same member. Boards of older weeks come first.
judged as materialized (
  select d.*,
    case when d.uncapped = 'tell' and not d.has_unread and m.rank_change_daily_cap > 0
        and m.rank_change_daily_cap < row_number() over (
          partition by d.user_id, d.uncapped, d.has_unread order by d.week_start, d.group_id, d.type) + (
            select count(*) from notification o
            where o.user_id = d.user_id and o.type = 'rank_change'
              and o.created_at > m.at - interval '24 hours' and o.created_at <= m.at + interval '1 minute')
      then 'wait' else d.uncapped end as decision
  from moment m, decided d
),
-- For each member whose rank became worse, the `passed` CTE lists the members who have overtaken this member since the
-- last notification.
passed as materialized (
  select j.challenge_id, j.user_id, count(*) as others, min(o.display_name) as name,
    jsonb_agg(o.user_id order by o.rank, o.user_id) as passed_by
  from judged j
  join seen o on o.challenge_id = j.challenge_id and o.rank < j.rank
  where j.decision = 'tell' and j.rank > j.from_rank and j.participants <= 100
    and (o.told is null or o.told >= j.told or j.passed_by ? o.user_id)
    and not exists (
      select from silent m
      where m.challenge_id = o.challenge_id and m.user_id = o.user_id and m.value is not null)
  group by 1, 2
),
news as materialized (
  select j.*, m.at,
    jsonb_build_object('week_start', j.week_start, 'challenge', j.type, 'from', j.from_rank,
      'to', j.rank, 'passed_by', coalesce(p.passed_by, '[]'),
      'message', case p.others when 1 then p.name || ' passed you: you are'
          else coalesce(p.others || ' members passed you: you are', 'You are') end
        || ' now #' || j.rank || ' in ' || j.type || '.') as content
  from moment m, (select * from judged where decision = 'tell') j
  full join passed p on p.challenge_id = j.challenge_id and p.user_id = j.user_id
),
-- If a member again has the rank from before an unread notification, the notification is deleted. The notification is
-- also deleted if the member must not be notified of the new rank.
taken_back as (
  delete from notification n
  using judged j
  where n.partition = j.notification_partition and n.created_at = j.notification_created_at
    and n.id = j.notification_id
    and (j.decision = 'silent' or j.decision = 'tell' and j.rank = j.from_rank)
  returning 1
),
changed as (
  update notification n
  set content = w.content, changed_at = w.at
  from news w
  where n.partition = w.notification_partition and n.created_at = w.notification_created_at
    and n.id = w.notification_id
    and w.rank <> w.from_rank and w.has_unread
  returning 1
),
written as (
  insert into notification (partition, created_at, user_id, group_id, type, challenge_id, content,
    changed_at)
  select day_partition(at), at, user_id, group_id, 'rank_change', challenge_id, content, at
  from news
  where rank <> from_rank and not has_unread
  returning challenge_id, user_id, created_at, id
),
-- Without MATERIALIZED, the planner would inline the CTE and replace the FULL JOIN with a LEFT JOIN, which PostgreSQL
-- may execute as a nested loop.
told as materialized (
  select j.*, w.created_at as written_at, w.id as written_id,
    j.decision = 'wait' or j.rank = j.told and j.moved_silently = 0
      or j.decision = 'tell' and j.has_unread and j.rank <> j.from_rank as keeps
  from (select * from judged where decision <> 'wait' or moved_silently <> 0) j
  full join written w on w.challenge_id = j.challenge_id and w.user_id = j.user_id
),
-- The publish locks protect the standings, so their ctids stay valid. A standing keeps its notification if the
-- notification was just written or updated, or if the rank did not change.
known as (
  update standing s
  set told_rank = case t.decision when 'wait' then t.told else t.rank end,
    told_value = case t.decision when 'wait' then t.told_value else t.value end,
    told_at = case t.decision when 'tell' then m.at else t.told_at end,
    notification_created_at = coalesce(t.written_at,
      case when t.keeps then t.notification_created_at end),
    notification_id = coalesce(t.written_id, case when t.keeps then t.notification_id end),
    notification_from = case when t.written_id is not null then t.from_rank
      when t.keeps then t.notification_from + t.moved_silently end
  from moment m, told t
  where t.place = s.ctid
  returning 1
),
-- If a returned member's rank has not been published yet, the row in silent_move is kept for the next run.
forgotten as (
  delete from silent_move m
  where m.challenge_id = any ($1) and (m.gone_rank is not null
    or (m.challenge_id, m.user_id) in (select challenge_id, user_id from shown)
    or coalesce((select e.hidden from entry e
      where e.challenge_id = m.challenge_id and e.user_id = m.user_id), true))
  returning 1
),
evaluated as (
  update board_version
  set is_told = true
  where challenge_id = any ($1)
    and challenge_id <> all (array(select challenge_id from judged where decision = 'wait'))
  returning 1
)
select (select count(*) from written), (select count(*) from changed),
  (select count(*) from taken_back), (select count(*) from judged where decision = 'wait')
