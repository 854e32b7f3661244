-- What is still to be done, by key. `event`: an event of a topic that is not folded, and so no job's yet. `run`:
-- a ready or a running run of a job. `dead run`: one that failed for good. For the SQL of a product, which reads
-- no table of the runner. Who asks for one kind has the others left out of the plan; by job and keys runs are
-- looked up, not searched. A log of another cluster is not known by it: whoever asks looks into own_position too.
-- needs: unfolded_event
create or replace view pending_key with (security_invoker = true) as
select topic, null as job, key, 'event' as kind from unfolded_event
union all
select null, job, key, 'run' from run
union all
select null, job, key, 'dead run' from dead_run
