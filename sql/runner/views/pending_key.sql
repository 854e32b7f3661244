-- Contains pending work by key. The kind is `event` for an undispatched event (whose job is null), `run` for a ready or
-- running run, or `dead run`. Products read this view, because their SQL may not read the runner's tables. If a query
-- filters by kind, the plan omits all other kinds. A query by job and keys uses an index. To detect an event log that
-- was restored from another cluster, a query must read the own_position view.
-- needs: unfolded_event
create or replace view pending_key with (security_invoker = true) as
select topic, null as job, key, 'event' as kind from unfolded_event
union all
select null, job, key, 'run' from run
union all
select null, job, key, 'dead run' from dead_run
