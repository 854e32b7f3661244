-- The condition is true if no live worker executes the running run `r`. A run that is an effect is lost only if its
-- worker is dead. An effect can continue after its worker's database session has ended. The token of a claimed effect
-- is a version 8 UUID (ClaimToken.swift). Runs of an unregistered worker are lost. Rows: none, because the fragment is
-- only part of a statement. Locks: none. Index: run_running.
(r.worker in (select id from dead_worker)
  or r.worker in (select id from gone_worker) and substr(r.token::text, 15, 1) <> '8'
  or not exists (select from worker w where w.id = r.worker))
