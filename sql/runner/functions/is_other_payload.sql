-- Returns whether a schedule that a program declares has another payload than `payload`, for roles that may not read
-- payloads. Null means no payload. The payloads of declared schedules are part of the program's code. Schedules that
-- were created at run time are not compared, so that no caller can confirm a guess. Locks: none. Index: schedule_pkey.
create or replace function is_other_payload(job text, name text, payload jsonb) returns boolean
language sql stable security definer set search_path from current as $$
select exists (
  select from schedule s
  where s.job = is_other_payload.job and s.name = is_other_payload.name and s.source = 'program'
    and s.payload is distinct from is_other_payload.payload)
$$
