-- Grants the worker role access to the whole queue. A worker cannot change the definitions of tables, views and
-- functions.
grant usage on schema {schema} to {worker};
grant select on migration, schema_part, schema_object, object_definition, access, access_object, development,
  table_trigger, runner_setting to {worker};
grant select, insert on job_alias to {worker};
grant select, insert, update on job, program_release to {worker};
grant select, insert, update, delete on job_limit, limit_start, held_group, job_activity, run, run_payload,
  run_progress, run_checkpoint, event_wait, worker, schedule to {worker};
grant select, insert, delete on recent_run, dead_run, worker_death, occurrence, event_position, failed_attempt,
  run_step, sent_event to {worker};
grant select, insert, update, delete on cancellation to {worker};
-- A worker executes the cancellation requests that the cancel_run function has stored.
grant select, delete on cancel_request to {worker};
grant select on group_limit to {worker};
-- A worker counts the ended members of batches, and ends batches.
grant select, insert, update, delete on batch, batch_member to {worker};
grant select, update on event_cursor, server_clock to {worker};
grant select on event_0, event_1, event_2, event_segment, schedule_delay, run_history to {worker};
grant update (has_listener) on event_segment to {worker};
-- A worker locks rows before it claims or deletes them. FOR UPDATE requires the UPDATE privilege on at least one
-- column. A worker also fires occurrences that were skipped while the clock was fast.
grant update (id) on failed_attempt, expired_attempt, due_run to {worker};
grant update (outcome, fired_at) on occurrence to {worker};
grant update (free_at) on recent_run to {worker};
grant update (payload) on dead_run to {worker};
grant usage on sequence run_id_seq to {worker};
grant usage, select on sequence event_id_seq, claim_number_seq to {worker};
grant insert on event_0, event_1, event_2, run_history to {worker};
grant select on awaited_run, dead_worker, due_run, ended_checkpoint, event, event_target, event_trigger, expired_attempt,
  folding_event, free_payload, gone_worker, job_release, left_limit, missing_worker, new_event, own_position, pending_key,
  table_trigger_fault, table_trigger_state, unfolded_event, unregistered_worker, waiting_schedule to {worker};
grant execute on function open_batch, enqueue_batch, seal_batch, cancel_batch, retry_batch to {worker};
grant execute on function schedule, pause_schedule, resume_schedule, remove_schedule, list_schedules, backfill_schedule,
  is_other_payload to {worker};
grant execute on function enqueue, enqueue_many, send_event, observe, stop_observing, rotate_event_log, lock_event_log,
  empty_event_log, truncate_history to {worker};
-- The audit log records manually started runs. A worker deletes old rows of the audit log together with the run
-- history.
grant execute on function record_audit, purge_audit to {worker};
grant select (day, at) on audit to {worker};
