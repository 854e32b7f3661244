-- The ids that a merged run receives from the run `r` and the inserted run `excluded`, in addition to its own id. Rows:
-- none, because the fragment is only part of a statement. Locks: none. Index: run_payload_taken_by.
r.earlier_ids || excluded.earlier_ids || case
  when
    -- include: shares_payloads
    then array[r.id, excluded.id]
  when excluded.payload_event > coalesce(r.payload_event, 0) then array[r.id]
  else array[excluded.id] end
