-- Which of these boards may have entries that are not in their standings yet: an event that is not
-- folded, or a run that is not done. $1 boards. Rows: challenge id, each once.
-- One statement, one snapshot: a fold moves an event into a run in one transaction.
-- Locks: none; the caller holds the boards, so no further event can come. Indexes: event_N_xact,
-- run_pkey.
select distinct b.key::uuid
from unnest($1::text[]) b (key)
where b.key in (select key from pending_key where topic = 'entry.changed' and kind = 'event')
  -- Only the runs of these boards: there may be many others.
  or b.key in (
    select key from pending_key
    where job = 'recompute-ranks' and kind = 'run' and key = any ($1::text[]))
  or b.key in (select key from pending_key where job = 'recompute-ranks' and kind = 'dead run')
  -- A log of another cluster: what it holds is not known by its transaction ids.
  or not exists (select from own_position)
