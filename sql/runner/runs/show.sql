-- Everything about one run, as JSON. $1 its id, or one of its earlier ones: it was merged into another run
-- of its key. Rows: one, or none. Locks: none. Reads all runs that there are. Instants are UTC whatever
-- the session says; made_at is when it was first asked for.
with found as (
  select to_jsonb(r) - 'first_event_at' - 'asked_at' - 'errors' as run, r.errors,
    least(first_event_at, asked_at) as made_at, due, last_event_at, run_at, backoff_until,
    null::timestamptz as died_at
  from run r where id = $1 or $1 = any (earlier_ids)
  union all
  select to_jsonb(d) - 'first_event_at' - 'errors' || '{"state": "dead"}', d.errors, first_event_at, null,
    null, null, null, died_at
  from dead_run d where id = $1 or $1 = any (earlier_ids)
  union all
  -- Asked for, and not folded yet.
  select jsonb_build_object('id', run_id, 'job', substr(topic, length('enqueue/') + 1), 'key', key,
      'state', 'unfolded', 'payload', payload), null, recorded_at, null, null, run_at, null, null
  from unfolded_event where run_id = $1
  limit 1
),
instant as (
  select name, iso_text(at, '.MS') as text
  from found, lateral (values ('made_at', made_at), ('due', due), ('last_event_at', last_event_at),
    ('died_at', died_at), ('run_at', run_at), ('backoff_until', backoff_until)) i (name, at)
)
select jsonb_pretty(
  (select jsonb_object_agg(key, value) from jsonb_each(run) where value not in ('null', '[]'))
  || (select jsonb_object_agg(name, text) from instant where text is not null)
  || case when errors is null then '{}' else jsonb_build_object('errors', errors) end)
from found
