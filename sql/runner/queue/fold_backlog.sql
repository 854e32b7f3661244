-- Dispatches the events that advance_backlog has chosen. The results and locks are those of the `fold` statement.
-- Besides new events, the folding_event view contains events of a backlog, events of large transactions, and events
-- that are no longer deferred. PostgreSQL initializes the view's plan in each dispatch, which takes 0.3 ms. $1: true to
-- make new runs due now, without a debounce. Rows: one row with the number of events, the number of runs, the names of
-- the jobs, the names of the jobs with due runs (one per line), and the duration in microseconds. Locks: the ready runs
-- of the events' keys, and the runs that become due. The caller must have locked event_cursor. Indexes: event_N_xact,
-- event_N_pkey, run_pkey, run_held, held_group_key, event_wait_key, sent_event_key.
with fresh as materialized (
  select topic, key, payload, recorded_at, id, run_id, run_at, replaces, priority, origin, trace
  from folding_event
),
-- include: fold_waits
-- include: fold_calls
-- include: fold_runs
