-- The condition that no living worker executes the running run `r`. An effect may still be in progress although its
-- worker is gone, so an effect is lost only if its worker is dead. Version 8 of the token marks the claim of an effect
-- (ClaimToken.swift). The job's definition would not suffice, because another program may have changed it since the
-- claim. Runs of an unregistered worker are lost: a worker that was removed as dead may claim again, and then be killed
-- before it registers again. Rows: the rows of the statement that includes the fragment. Locks: none. Index:
-- run_running.
(r.worker in (select id from dead_worker)
  or r.worker in (select id from gone_worker) and substr(r.token::text, 15, 1) <> '8'
  or not exists (select from worker w where w.id = r.worker))
