-- Appends an event that says that the log begins again in another cluster, for jobs that must recover missing work: a
-- dump that began while a segment was truncated contains neither its events nor the runs folded from them. Rows: one.
-- Locks: none, except those of the caller. The event's key is the new cluster's identity.
select append_events('log.restarted', array[system_identifier::text]) from pg_control_system()
