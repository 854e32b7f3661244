-- What retention would remove now, table by table: what a dry run shows. Rows: table, rows, the oldest and the newest
-- end. Locks: none. Index: invite_end, session_end, presence_command_age.
with cutoff as materialized (
  select domain_now() - in_seconds(kept_age) as at, domain_now() - in_seconds(command_age) as commands_at from setting
),
expired as (
  select 'invite' as relation, i.expires_at as at from invite i, cutoff c where i.expires_at < c.at
  union all
  select 'session', s.expires_at from session s, cutoff c where s.expires_at < c.at
  union all
  select 'presence_command', p.answered_at from presence_command p, cutoff c where p.answered_at < c.commands_at
)
select relation, count(*), iso_text(min(at)), iso_text(max(at))
from expired
group by relation
order by relation
