-- This condition is true if no worker that is alive executes the running run `r`. An effect of a worker without a
-- server process may still be in progress, so an effect is lost only if the worker is dead. If a claim is a claim of an
-- effect, the token is a UUID of version 8 (ClaimToken.swift). The job's definition is not sufficient, because another
-- program may have changed the definition since the claim. Runs of an unregistered worker are lost, because a worker
-- that was removed as dead may claim again and be killed before registering again. Rows: none, because the fragment is
-- only a part of a statement. Locks: none. Index: run_running.
(r.worker in (select id from dead_worker)
  or r.worker in (select id from gone_worker) and substr(r.token::text, 15, 1) <> '8'
  or not exists (select from worker w where w.id = r.worker))
