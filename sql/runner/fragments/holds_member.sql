-- The condition is true if the run `r` contains the call of the batch member `m`. A run keeps only its thousand newest
-- ids (newest_ids). A run with a thousand ids may have lost the id of the member. For such a run, the condition is true
-- unless the run's first event was recorded after the member. If a call with `replace` has replaced earlier calls of
-- such a run, the condition is always true. Rows: none, because the fragment is only part of a statement. Locks: none.
-- Index: run_pkey.
(r.id = m.id or m.id = any (r.earlier_ids)
  or cardinality(r.earlier_ids) >= 1000
    and (r.replaced_by is not null or (least(r.first_event_at, r.asked_at) <= m.recorded_at) is not false))
