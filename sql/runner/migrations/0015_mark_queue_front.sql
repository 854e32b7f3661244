-- Polls and claims skip the index entries of completed runs, which stay in the index while an old transaction is open.

-- The time of the dispatch. A later dispatch creates no run with an earlier due time.
alter table event_position add column dispatched_at timestamptz not null default pg_catalog.now();

-- The id gives runs with the same due time an order, so that a poll can continue between them.
drop index run_ready;
create index run_ready on run (job, batch_limit, priority, due, id) where state = 'ready' and not is_held;
