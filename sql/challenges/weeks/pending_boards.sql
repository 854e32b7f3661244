-- Lists the given boards whose standings may be incomplete, because an event has not been dispatched or a run has not
-- ended. $1: the ids of the boards. Rows: the ids of the boards, without duplicates. Locks: none. The caller must have
-- locked the boards, so that no new events are recorded. An event becomes a run in one transaction, so one statement
-- finds either the event or the run. Indexes: event_N_xact, run_pkey.
select distinct b.key::uuid
from unnest($1::text[]) b (key)
where b.key in (select key from pending_key where topic = 'entry.changed' and kind = 'event')
  -- Only runs of the given boards are read.
  or b.key in (
    select key from pending_key
    where job = 'recompute-ranks' and kind = 'run' and key = any ($1::text[]))
  or b.key in (select key from pending_key where job = 'recompute-ranks' and kind = 'dead run')
  -- After a restore into another cluster, transaction ids do not show which events are pending.
  or not exists (select from own_position)
