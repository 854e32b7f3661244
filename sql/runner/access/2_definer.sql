-- Grants the definer the privileges that the runner's SECURITY DEFINER functions need to append events and to truncate
-- old partitions.
grant usage on schema {schema} to {definer};
grant select on access, development, job, job_alias, event_segment, event_position, runner_setting, run_history, job_limit,
  schedule, table_trigger to {definer};
grant insert, update, delete on schedule to {definer};
-- The backfill_schedule function records the occurrences that it fires.
grant select, insert on occurrence to {definer};
grant update (outcome, fired_at) on occurrence to {definer};
grant select, insert, truncate on event_0, event_1, event_2 to {definer};
grant update (current, rotated_at) on event_segment to {definer};
grant select on event, event_target to {definer};
grant usage on sequence run_id_seq, event_id_seq to {definer};
grant update (payload) on dead_run to {definer};
grant select on dead_run, run, own_position, pending_key, unfolded_event to {definer};
-- The functions for the dashboard read these tables and redact personal data.
grant select on worker, cancellation, failed_attempt, run_checkpoint, run_step to {definer};
-- The functions for API callers check the job's grants, and store cancellation requests.
grant select on job_grant, group_limit to {definer};
grant select, insert on cancel_request to {definer};
grant select, insert, update on batch, batch_member to {definer};
grant select, truncate on run_history_0, run_history_1, run_history_2, run_history_3, run_history_4,
  run_history_5, run_history_6, run_history_7, run_history_8, run_history_9, run_history_10, run_history_11,
  run_history_12, run_history_13, run_history_14, run_history_15 to {definer};
grant select, insert, delete on audit to {definer};
grant select, update on audit_chain to {definer};
