-- Grants an operator the privileges for manual actions. An operator reads the whole queue, and changes ready, running
-- and dead runs.
grant usage on schema {schema} to {operator};
grant select on migration, schema_part, schema_object, object_definition, access, access_object, development,
  table_trigger, runner_setting, job, job_alias, job_limit, limit_start, held_group, job_activity, run, run_payload,
  run_progress, run_checkpoint, run_step, event_wait, sent_event, recent_run,
  dead_run, worker, worker_death,
  cancellation, schedule, schedule_delay, occurrence, run_history, failed_attempt, event_0, event_1, event_2,
  event_segment, event_cursor, event_position, program_release to {operator};
grant select on awaited_run, dead_worker, due_run, ended_checkpoint, event, event_target, event_trigger, expired_attempt,
  folding_event, free_payload, gone_worker, missing_worker, new_event, own_position, pending_key, table_trigger_fault,
  table_trigger_state, unfolded_event, unregistered_worker, waiting_schedule to {operator};
grant usage on sequence run_id_seq to {operator};
-- A retry with a different payload counts as a new call, which needs an event number. If the job reads all payloads,
-- the retry also stores the payload in run_payload.
grant select, usage on sequence event_id_seq to {operator};
-- A new limit counts running runs, which then get a claim number.
grant usage on sequence claim_number_seq to {operator};
grant insert, update, delete on run to {operator};
grant insert on run_payload to {operator};
grant update, delete on dead_run, run_payload, run_progress to {operator};
grant insert, update, delete on cancellation to {operator};
grant insert on run_history, occurrence to {operator};
-- A backfill fires skipped occurrences, so an operator needs to insert and update occurrences.
grant update (outcome, fired_at) on occurrence to {operator};
grant update (paused_at) on job, schedule to {operator};
grant update (retired_at) on job to {operator};
grant delete on schedule to {operator};
grant select, insert, update, delete on job_grant to {operator};
grant select on cancel_request to {operator};
grant insert, update, delete on job_limit to {operator};
grant select, insert, update, delete on group_limit to {operator};
-- Retrying a run reopens its batch members. Cancelling a run marks its batch members as cancelled.
grant select, update on batch, batch_member to {operator};
grant execute on function open_batch, enqueue_batch, seal_batch, cancel_batch, retry_batch to {operator};
grant execute on function enqueue, enqueue_many, send_event, run_state, run_states, cancel_run, schedule, pause_schedule,
  resume_schedule, remove_schedule, list_schedules, backfill_schedule, is_other_payload to {operator};
grant select on audit, audit_chain to {operator};
grant execute on function record_audit, product_gauges to {operator};
