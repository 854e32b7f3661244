-- Which of these boards may have entries that are not in their standings yet: an event that is not
-- folded, or a run that is not done. $1 boards. Rows: challenge id, each once.
-- One statement, one snapshot: a fold moves an event into a run in one transaction.
-- Locks: none; the caller holds the boards, so no further event can come. Indexes: event_N_xact,
-- run_pkey.
with fresh as materialized (
  select key from unfolded_event where topic = 'entry.changed'
),
woken as materialized (
  select name from job where 'entry.changed' = any (topics)
)
select distinct b.key::uuid
from unnest($1::text[]) b (key)
where b.key in (select key from fresh)
  or exists (select from run r where r.job in (select name from woken) and r.key = b.key)
  or b.key in (select key from dead_run where job in (select name from woken))
  -- A log of another cluster: what it holds is not known by its transaction ids.
  or not exists (select from own_position)
