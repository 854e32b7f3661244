-- Records the event `log.restarted` after a restore into another cluster. Jobs can subscribe to the event and restore
-- missing runs. If a segment was truncated during the dump, the dump may contain neither the events of the segment
-- nor their runs. Rows: one empty row. Locks: none. The event's key is the identifier of the new cluster.
select append_events('log.restarted', array[system_identifier::text]) from pg_control_system()
