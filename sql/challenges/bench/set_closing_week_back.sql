-- Reopens the ended week's boards, as if the week had never been closed. Rows: none. Locks: the truncated tables,
-- ACCESS EXCLUSIVE. The script disables triggers.
begin;
set local search_path = baton_bench;
set local session_replication_role = replica;
set local synchronous_commit = off;
truncate notification, run, run_history, event_0, event_1, event_2, dead_run;
delete from closed_week where week_start = week_of(domain_now()) - 7;
update challenge set state = 'open', closed_at = null
where week_start = week_of(domain_now()) - 7;
commit
