-- Lists the standbys that are connected to this server. Rows: name, state, synchronous state, and bytes of WAL that the
-- standby has not replayed. If the role may not see a standby's state, the columns state, synchronous state and bytes
-- are null. The statement returns at most 20 rows. Locks: none. Index: none.
select coalesce(application_name, ''), state, sync_state,
  greatest(pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
    coalesce(replay_lsn, sent_lsn)), 0)::bigint
from pg_stat_replication
order by sync_state = 'async', application_name
limit 20
