-- Contains pending work by key. The kind is `event` for an event that is not dispatched and so has no job, `run` for a
-- ready or running run, and `dead run` for a dead run. The SQL of products reads this view, because it may not read the
-- runner's tables. If a query filters by one kind, the plan omits the others. A query by job and keys finds runs by
-- index. A query that must detect an event log of another cluster must also read own_position.
-- needs: unfolded_event
create or replace view pending_key with (security_invoker = true) as
select topic, null as job, key, 'event' as kind from unfolded_event
union all
select null, job, key, 'run' from run
union all
select null, job, key, 'dead run' from dead_run
