-- Replaces the five CHECK constraints of `run` with one constraint. PostgreSQL evaluates each constraint separately for
-- each changed row. With one constraint, a claim of 500 runs takes 3.2 ms instead of 3.3 ms.

alter table run
  drop constraint run_check,
  drop constraint run_held,
  drop constraint run_priority_check,
  drop constraint run_state,
  drop constraint run_token,
  add constraint run_is_valid check (
    priority between 1 and 9
    and (first_event_at is not null and last_event_at is not null or run_at is not null)
    and (token is null) = (worker is null)
    and case state
      when 'running' then worker is not null or has_checkpoint is true
      else worker is null and has_checkpoint is null
    end
    and (not is_held or worker is null and batch_limit = 0 and group_key is not null));
