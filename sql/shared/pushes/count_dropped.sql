-- Counts a dropped push notification. Rows: one row with the number of dropped push notifications. Locks: none. If a
-- run of the job is repeated, the push notification is counted again.
select nextval('dropped_push')
