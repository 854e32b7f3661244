-- Finds a run by its id, or by the id of a run that was merged into it. $1: the id. Rows: one row with id, job, key,
-- state, and a boolean that is true if only the run's history remains, or no row if the run does not exist. The state
-- is `ready`, `running` or `dead`, or `unfolded` if the run's event has not been dispatched yet. If only the history
-- remains, the state is `done`, `dead` or `cancelled`, or `ended` if the outcome is not stored. Locks: none. The
-- queries are executed in this order until one finds the run, so the waiting runs are not read for a running run, a
-- dead run or an undispatched call. Indexes: run_running, dead_run_pkey, run_history_id, run_history_earlier_ids,
-- failed_attempt_run.
select id, job, key, 'running', false from run where worker is not null and (id = $1 or $1 = any (earlier_ids))
union all
select id, job, key, 'dead', false from dead_run where id = $1
union all
select id, job, key, 'dead', false from dead_run where $1 = any (earlier_ids)
union all
-- The beginning of a wait, which also has the run's id, has another topic (append_wait).
select run_id, substr(topic, length('enqueue/') + 1), key, 'unfolded', false from unfolded_event
where run_id = $1 and topic >= 'enqueue/' and topic < 'enqueue0'
union all
select id, job, key, 'ready', false from run where worker is null and (id = $1 or $1 = any (earlier_ids))
union all
(select id, job, key, outcome, true from run_history
 where id = $1 or earlier_ids @> array[$1::bigint]
 order by created_at desc limit 1)
union all
(select run_id, job, key, 'ended', true from failed_attempt where run_id = $1 limit 1)
limit 1
