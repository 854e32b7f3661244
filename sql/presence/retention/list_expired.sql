-- Counts the rows that retention would delete now, for a dry run. Rows: one row for each table and each week of
-- messages, with the name, the number of expired rows, and the earliest and latest end time of these rows. Locks: none.
-- Indexes: invite_end, invite_attempt_age, push_device_age, session_end, presence_command_age, visit_age,
-- first_arrival_age, visit_streak_age, users_idle, member_age, group_age. The statement reads all expired rows and all
-- rows of old weeks.
with cutoff as materialized (
  select domain_now() - in_seconds(kept_age) as at, domain_now() - in_seconds(command_age) as commands_at,
    domain_now() - in_seconds(visit_age) as visits_at, domain_now() - in_seconds(group_age) as groups_at
  from setting
),
week as materialized (
  select n
  from setting s, generate_series(0, 15) n
  where (select max(created_at) from message where partition = n and created_at < domain_now() + interval '2688 hours')
    < domain_now() - in_seconds(s.message_age)
),
expired as (
  select 'invite' as relation, i.expires_at as at from invite i, cutoff c where i.expires_at < c.at
  union all
  select 'invite_attempt', a.began_at from invite_attempt a where a.began_at < (select domain_now() - interval '168 hours')
  union all
  select 'push_device', d.registered_at from push_device d
  where d.registered_at < (select domain_now() - in_seconds(device_age) from setting)
  union all
  select 'session', s.expires_at from session s, cutoff c where s.expires_at < c.at
  union all
  select 'message_' || m.partition, m.created_at from message m where m.partition in (select n from week)
  union all
  select 'presence_command', p.answered_at from presence_command p, cutoff c where p.answered_at < c.commands_at
  union all
  select 'visit', v.departure from visit v, cutoff c where v.departure < c.visits_at
  union all
  select 'first_arrival', f.arrived_at from first_arrival f, cutoff c where f.arrived_at < c.visits_at
  union all
  select 'visit_streak', t.ends::timestamp at time zone 'UTC' from visit_streak t, cutoff c
  where t.ends < (c.visits_at at time zone 'UTC')::date
  union all
  select 'users', u.idle_since from idle_users(2147483647) u
  union all
  select 'user_report', r.created_at from user_report r
  where r.created_at < (select domain_now() - in_seconds(s.report_age) from setting s)
  union all
  select 'member', m.left_at from member m, cutoff c where m.left_at < c.groups_at
  union all
  select 'groups', g.ended_at from groups g, cutoff c where g.ended_at < c.groups_at
)
select relation, count(*), iso_text(min(at)), iso_text(max(at))
from expired
group by relation
order by relation
