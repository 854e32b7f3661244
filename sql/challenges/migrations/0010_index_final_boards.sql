-- The page of the weeks counts final boards by week and state, and finds the last close of each week, without reading
-- the boards themselves. Only a close, a cancellation and a reopening write this index: no workout does.
-- A close leaves a dead entry of each of its boards in challenge_open, of which most readers ask for the oldest week
-- first. By PostgreSQL's standard of a fifth of the table they would stay for three weeks.
--
-- In the transaction of the other migrations, so that a pooler can be migrated through. Writers of boards wait while
-- it is built: 15 s for 7 million boards on a busy machine. With so many boards, create the index before the migration,
-- by the same statement with `concurrently`: then no writer waits.

alter table challenge set (autovacuum_vacuum_scale_factor = 0.02);

create index if not exists challenge_ended on challenge (week_start, state, closed_at) where state <> 'open';
