-- Work that is not done yet, by key. `event`: an event that is not folded, and so belongs to no job yet. `run`: a ready
-- or a running run of a job. `dead run`: one that failed for good. It is for the SQL of a product, which reads no table
-- of the runner. If a query filters by one kind, the plan leaves the others out; with job and keys, runs are found by
-- index. A log of another cluster is not recognised here: such a query must also read own_position.
-- needs: unfolded_event
create or replace view pending_key with (security_invoker = true) as
select topic, null as job, key, 'event' as kind from unfolded_event
union all
select null, job, key, 'run' from run
union all
select null, job, key, 'dead run' from dead_run
