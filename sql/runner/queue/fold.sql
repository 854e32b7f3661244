-- Dispatches the new events before the position that advance_position has appended. For each job and key, the statement
-- creates or updates one ready run. If the log has a backlog or large transactions, fold_backlog is used instead.
-- Events from send_event are stored, and the runs that wait for them become due. The statement reads the events once,
-- and `event_wait` and `sent_event` only if the dispatch contains events from send_event. $1: true to make new runs due
-- now, without a debounce. Rows: one row with the number of events, the number of runs, the names of the jobs, the
-- names of the jobs with due runs (one per line), and the duration in microseconds. Locks: the ready runs of the
-- events' keys, and the runs that become due. The caller must have locked event_cursor. Indexes: event_N_xact,
-- run_pkey, run_held, held_group_key, event_wait_key, sent_event_key.
with fresh as materialized (
  select topic, key, payload, recorded_at, id, run_id, run_at, replaces, priority, origin, trace
  from new_event
),
-- include: fold_waits
-- include: fold_calls
-- include: fold_runs
