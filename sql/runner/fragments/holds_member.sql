-- The condition is true if the run `r` contains the call of the batch member `m`. A run keeps only its newest thousand
-- ids (newest_ids). If a run has a thousand ids, the id of the member may have been dropped. A run with a thousand ids
-- counts as the member's run, unless the first event of the run is younger than the member. If a call with `replace`
-- has replaced earlier calls, a run with a thousand ids always counts as the run of the member. Rows: none, because the
-- fragment is only a part of a statement. Locks: none. Index: run_pkey.
(r.id = m.id or m.id = any (r.earlier_ids)
  or cardinality(r.earlier_ids) >= 1000
    and (r.replaced_by is not null or (least(r.first_event_at, r.asked_at) <= m.recorded_at) is not false))
