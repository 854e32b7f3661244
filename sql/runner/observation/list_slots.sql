-- Lists the server's replication slots. Rows: the name, whether a consumer is connected, the bytes of retained WAL (or
-- null), and whether the server has removed required WAL. The statement returns at most 20 rows, starting with the
-- slots that retain the most WAL. Locks: none. Index: none.
select slot_name::text, active,
  pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn)::bigint,
  coalesce(wal_status = 'lost', false)
from pg_replication_slots
where not temporary
order by 3 desc nulls last, slot_name
limit 20
