-- The condition is true if both runs of a merge have payloads, and the run with the newer payload has already received
-- its payloads. A run never receives further payloads under the same id, so that each attempt of an effect has the same
-- payloads. The merged run therefore needs a new id. Rows: none, because the fragment is only part of a statement.
-- Locks: none. Index: run_payload_taken_by.
r.payload_event is not null and excluded.payload_event is not null
  -- A payload that a call with `replace` has replaced is not delivered.
  and (greatest(r.replaced_by, excluded.replaced_by) > least(r.payload_event, excluded.payload_event)) is not true
  and exists (
    select from run_payload p
    where p.taken_by = case when excluded.payload_event > r.payload_event then excluded.id else r.id end)
