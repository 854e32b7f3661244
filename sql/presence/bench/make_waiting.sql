-- Makes deadlines that are waiting: one presence and one run each, a day from now. $1 the first, from 0, $2 how many,
-- $3 groups of make_places. They belong to the last of its $4 users, who are members of other groups. Rows: one.
-- Locks: the new rows.
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
