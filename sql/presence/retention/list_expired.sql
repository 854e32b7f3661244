-- Counts the rows that retention would delete now, for a dry run. Rows: one per table or week of messages: the name,
-- the number of rows, the oldest and the newest instant at which a row ended. Locks: none. Index: invite_end,
-- session_end, presence_command_age. The statement reads all rows of old weeks.
with cutoff as materialized (
  select domain_now() - in_seconds(kept_age) as at, domain_now() - in_seconds(command_age) as commands_at from setting
),
week as materialized (
  select n
  from setting s, generate_series(0, 15) n
  where (select max(created_at) from message where partition = n) < domain_now() - in_seconds(s.message_age)
),
expired as (
  select 'invite' as relation, i.expires_at as at from invite i, cutoff c where i.expires_at < c.at
  union all
  select 'session', s.expires_at from session s, cutoff c where s.expires_at < c.at
  union all
  select 'message_' || m.partition, m.created_at from message m where m.partition in (select n from week)
  union all
  select 'presence_command', p.answered_at from presence_command p, cutoff c where p.answered_at < c.commands_at
)
select relation, count(*), iso_text(min(at)), iso_text(max(at))
from expired
group by relation
order by relation
