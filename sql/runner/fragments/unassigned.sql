-- The condition is true if the free payload `f` belongs to the running run `r`. A worker that reads the newest payload
-- assigns payloads after the claim (assign_payloads), and can end before. A worker that reads all payloads assigns them
-- in the claim, and leaves the rest to a ready run. Rows: none, because the fragment is only part of a statement.
-- Locks: none. Indexes: run_payload_pkey, run_payload_taken_by, run_pkey.
f.job = r.job and f.key = r.key and f.id <= r.payload_event and r.has_checkpoint is null
and ((select true from run_payload p where p.taken_by = r.id limit 1) is null
  or (select true from run n where n.job = r.job and n.key = r.key and n.state = 'ready') is null)
