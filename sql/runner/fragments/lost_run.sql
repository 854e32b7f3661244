-- The condition is true if no live worker executes the running run `r`. An effect may still be in progress after its
-- worker's server process has ended, so an effect is lost only if the worker is dead. The token of a claimed effect is
-- a UUID of version 8 (ClaimToken.swift). The job's definition does not show whether the run is an effect, because
-- another program may have changed the definition since the claim. Runs of an unregistered worker are also lost. Rows:
-- none, because the fragment is only a part of a statement. Locks: none. Index: run_running.
(r.worker in (select id from dead_worker)
  or r.worker in (select id from gone_worker) and substr(r.token::text, 15, 1) <> '8'
  or not exists (select from worker w where w.id = r.worker))
