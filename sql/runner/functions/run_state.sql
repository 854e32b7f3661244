-- Returns the state of a run as JSON, or null if no record of the run exists. `id` is an id that `enqueue` returned.
-- `job` is any of the job's names. `key` is the call's key, or null. The `state` field is waiting, running, sleeping,
-- ended, dead or cancelled. docs/guides/run-state.md describes all fields. Errors: ZB005, 42501. Locks: none. Indexes:
-- run_pkey, dead_run_key, run_checkpoint_pkey, run_step_pkey, run_history_id, run_history_earlier_ids.
-- needs: run_states
create or replace function run_state(id bigint, job text, key text default null) returns jsonb
language sql security definer set search_path from current as $$
select s from run_states(array[id], array[job], array[key]) s
$$
