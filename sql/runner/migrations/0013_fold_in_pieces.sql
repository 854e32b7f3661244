-- A dispatch takes a limited number of events, and the next one continues. The events of a large transaction are
-- dispatched apart from those of other transactions, which therefore do not wait for all of them.

-- A large transaction: its events up to `last_id` are dispatched, and `end_id` is its last event.
create type partial_transaction as (xact xid8, last_id bigint, end_id bigint);
alter table event_position
  -- Null: all events that `snapshot` sees are dispatched. Otherwise, of the events that `snapshot` sees and `base` does
  -- not see, those up to `last_id` are dispatched, and none of them comes after `end_id`.
  add column base pg_snapshot,
  add column last_id bigint,
  add column end_id bigint,
  -- The transactions that are dispatched apart, although the snapshot sees them. Null: none.
  add column partial partial_transaction[],
  -- Events that wait for earlier events of their key in a partial transaction. Null: none.
  add column deferred bigint[],
  add check ((base is null) = (last_id is null) and (base is null) = (end_id is null));

-- The key answers whether a partial transaction contains events of a key, without reading the whole transaction.
drop index event_0_xact, event_1_xact_idx, event_2_xact_idx;
create index event_0_xact on event_0 (xact, hashtext(key));
create index event_1_xact on event_1 (xact, hashtext(key));
create index event_2_xact on event_2 (xact, hashtext(key));
