-- Records that the log begins anew in another cluster, for jobs that have to make up for it: a dump
-- that began while a segment was truncated holds neither its events nor the runs folded from them.
-- Rows: one. Locks: none but the caller's. The topic's key is the new cluster's identity.
select append_events('log.restarted', array[system_identifier::text]) from pg_control_system()
