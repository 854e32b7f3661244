-- Those of the given boards that may have entries missing from their standings: an event is not dispatched yet, or a
-- run is not done. $1 boards. Rows: challenge id, each once. One statement, hence one snapshot: an event becomes a run
-- in one transaction. Locks: none; the caller holds the boards, so no further event can come. Indexes: event_N_xact,
-- run_pkey.
select distinct b.key::uuid
from unnest($1::text[]) b (key)
where b.key in (select key from pending_key where topic = 'entry.changed' and kind = 'event')
  -- Only the runs of these boards, because there may be many others.
  or b.key in (
    select key from pending_key
    where job = 'recompute-ranks' and kind = 'run' and key = any ($1::text[]))
  or b.key in (select key from pending_key where job = 'recompute-ranks' and kind = 'dead run')
  -- The log comes from another cluster, so transaction ids do not show which events are pending.
  or not exists (select from own_position)
