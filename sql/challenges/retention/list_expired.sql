-- Counts the rows that retention would delete now, for a dry run. Rows: one row for each table or partition, with the
-- name, the number of rows, and the oldest and newest time. A row's time is the end of its week, or the time when it
-- was written if it has no week. Locks: none. The statement reads all expired rows and whole partitions.
with moment as materialized (
  select domain_now() as at, s.*,
    domain_now() - in_seconds(s.board_age) - interval '168 hours' as after_boards,
    ((domain_now() - in_seconds(s.board_age)) at time zone 'UTC')::date - 7 as last_week
  from setting s
),
board as materialized (
  select c.id, c.ends_at
  from challenge c, moment m
  where c.state <> 'open' and c.ends_at < m.at - in_seconds(m.board_age)
),
partition as materialized (
  select n,
    (select max(created_at) from notification where partition = n and created_at < m.at + interval '2688 hours')
      < m.at - in_seconds(m.notification_age) as is_old
  from moment m, generate_series(0, 15) n
),
expired as (
  select 'challenge' as relation, ends_at as at from board
  union all
  select 'entry', b.ends_at from board b join entry e on e.challenge_id = b.id
  union all
  select 'standing', b.ends_at from board b join standing s on s.challenge_id = b.id
  union all
  select 'board_version', b.ends_at from board b join board_version p on p.challenge_id = b.id
  union all
  select 'invite', i.expires_at from invite i, moment m where i.expires_at < m.at - in_seconds(m.board_age)
  union all
  select 'invite_attempt', a.began_at from invite_attempt a, moment m where a.began_at < m.at - interval '168 hours'
  union all
  select 'user_report', r.created_at from user_report r, moment m where r.created_at < m.at - in_seconds(m.report_age)
  union all
  select 'session', s.expires_at from session s, moment m where s.expires_at < m.at - interval '168 hours'
  union all
  select 'usage_log', l.recorded_at from usage_log l, moment m
  where l.recorded_at < m.at - in_seconds(m.analytics_age)
  union all
  select 'client_event', e.recorded_at from client_event e, moment m
  where e.recorded_at < m.at - in_seconds(m.analytics_age)
  union all
  select 'ignored_workout', w.day::timestamp at time zone 'UTC' from ignored_workout w, moment m
  where w.day < ((m.at - in_seconds(m.analytics_age)) at time zone 'UTC')::date
  union all
  select 'push_device', d.registered_at from push_device d, moment m
  where d.registered_at < m.at - in_seconds(m.device_age)
  union all
  select 'silent_move', b.ends_at from board b join silent_move m on m.challenge_id = b.id
  union all
  select 'closed_week', (w.week_start + 7)::timestamp at time zone 'UTC'
  from closed_week w, moment m
  where (w.week_start + 7)::timestamp at time zone 'UTC' < m.at - in_seconds(m.board_age)
    and (not w.is_told or w.closed_at <= m.at - notification_lifetime())
  union all
  select 'week_reopening', (r.week_start + 7)::timestamp at time zone 'UTC'
  from week_reopening r, moment m
  where r.week_start < m.last_week
  union all
  select 'reported_streak', (r.week_start + 7)::timestamp at time zone 'UTC'
  from reported_streak r, moment m
  where r.week_start < m.last_week
  union all
  select 'refused_edit', r.refused_at from refused_edit r, moment m
  where r.refused_at < least(m.at - in_seconds(m.revision_age), m.after_boards)
  union all
  select 'workout_revision', r.superseded_at from workout_revision r, moment m
  where r.superseded_at < least(m.at - in_seconds(m.revision_age), m.after_boards)
  union all
  select 'workout', w.received_at from workout w, moment m
  where m.workout_age is not null
    and w.received_at < m.at - greatest(in_seconds(m.workout_age), in_seconds(m.board_age) + interval '2400 hours')
  union all
  select 'sharing_pause', p.ended_at from sharing_pause p, moment m
  where p.ended_at < least(m.at - in_seconds(m.revision_age), m.after_boards)
  union all
  select 'member', n.left_at from member n, moment m
  where n.left_at < least(m.at - in_seconds(m.group_age), m.after_boards)
  union all
  select 'groups', g.ended_at from groups g, moment m
  where g.ended_at < m.at - in_seconds(m.group_age)
  union all
  select 'notification_' || partition, created_at from notification
  where partition in (select n from partition where is_old)
)
select relation, count(*), iso_text(min(at)),
  iso_text(max(at))
from expired
group by relation
order by relation
