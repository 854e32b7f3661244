-- An event carries the time of the call that recorded it, not the start of the caller's transaction: of two calls of
-- `enqueue` with one key the later call counts, even if its transaction began first.

alter table event_0 alter column recorded_at set default pg_catalog.clock_timestamp();
alter table event_1 alter column recorded_at set default pg_catalog.clock_timestamp();
alter table event_2 alter column recorded_at set default pg_catalog.clock_timestamp();
