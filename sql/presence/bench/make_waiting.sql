-- Creates pending deadlines, each with a presence and a run that is due in one day. $1: the number of the first
-- deadline, starting at 0. $2: the number of deadlines. $3: the number of groups with deadlines. $4: the number of
-- users. The users with deadlines have the highest numbers, and are not members of their deadlines' groups. Rows: one
-- row. Locks: the new rows.
with pair as (
  select 'g-' || n % $3 + 1 as group_id, 'u-' || $4 - n / $3 as user_id from generate_series($1, $1 + $2 - 1) n
),
made as (
  insert into presence (group_id, user_id, is_present, source, since, deadline, version, changed_at, heard_at, armed_at)
  select group_id, user_id, true, 'manual', now(), now() + interval '1 day', 1, now(), now(), now() + interval '1 day'
  from pair
  returning id, deadline
)
select count(*) from enqueue_many('auto-check-out', (
  select jsonb_agg(jsonb_build_object('key', m.id::text, 'run_at', m.deadline)) from made m))
