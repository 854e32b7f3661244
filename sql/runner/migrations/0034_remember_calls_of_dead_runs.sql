-- A dead run remembers its newest call and its newest call with `replace`. Without these numbers, an older call that was
-- dispatched after the run was retried could change the run's due time, priority and payload.
alter table dead_run
  -- The number of the run's newest call. Null: the run became dead before this migration.
  add column newest_event bigint,
  -- The number of the run's newest call with `replace`.
  add column replaced_by bigint;

-- When an account is deleted, a product searches the payloads of dead runs for the account's id.
create index dead_run_payload on dead_run (job, id) where payload is not null;

-- The function has a new parameter.
drop function if exists last_payload(text, text);
