-- One sequence numbers the events of all segments. Of several calls that become one run, the call with the highest
-- number counts. Clocks can be set back, and each segment had numbers of its own, so neither gave a reliable order.

create sequence event_id_seq;
select setval('event_id_seq', 1 + greatest(
  (select max(id) from event_0), (select max(id) from event_1), (select max(id) from event_2),
  (select max(id) from run_payload), 0), false);
alter table event_0 alter column id drop identity, alter column id set default nextval('event_id_seq');
alter table event_1 alter column id drop identity, alter column id set default nextval('event_id_seq');
alter table event_2 alter column id drop identity, alter column id set default nextval('event_id_seq');

-- A collected payload has the number of its event, so that payloads stay in the order of their calls.
alter table run_payload alter column id drop identity, alter column id set default nextval('event_id_seq');

-- One call that became part of a run, or several calls without a time.
create type run_call as (event bigint, at timestamptz, run_at timestamptz, priority smallint);
-- When a run is due, and how urgent it is.
create type run_wait as (
  first_event_at timestamptz, last_event_at timestamptz, run_at timestamptz, asked_at timestamptz, priority smallint);

alter table run
  -- The number of the newest event of the run; null: no event.
  add column newest_event bigint,
  -- The number of the call that determined the payload; null: no call did.
  add column payload_event bigint,
  -- The number of the newest call with `replace`; null: none. Calls with lower numbers contribute only their ids.
  add column replaced_by bigint,
  -- The calls that a late call with `replace` could leave over, oldest first, at most 20. Null: the columns of the run
  -- describe its only call, or all its events have no time and the same priority.
  add column calls run_call[];
update run set replaced_by = 1, payload_event = 1 where replaces;
alter table run drop column replaces;

-- A retried run needs the number, because a newer call may have become a run of its own.
alter table dead_run add column payload_event bigint;
