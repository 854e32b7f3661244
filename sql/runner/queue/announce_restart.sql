-- Records the `log.restarted` event after a restore into another cluster. A job that subscribes to the event can
-- enqueue missing runs again. After a restore, runs may be missing, because a dump may contain neither the events of a
-- truncated segment nor the resulting runs. Rows: one empty row. Locks: none. The event's key is the identifier of the
-- new cluster.
select append_events('log.restarted', array[system_identifier::text]) from pg_control_system()
