-- Contains the current segment of the event log, the NOTIFY channel, and the key of the advisory lock that an awake
-- worker holds. The wake_key column contains the key of the awake worker's lock, or null if no worker listens or NOTIFY
-- is not possible. The lock's key contains the oid of a table, so each schema has a distinct key. The channel's name
-- does not depend on the lock's key, which all logins can see in pg_locks. If prepared transactions are enabled, NOTIFY
-- is not used, because PREPARE TRANSACTION fails after NOTIFY.
create or replace view event_target with (security_invoker = true) as
select current, lock_key, may_wake, case when has_listener and may_wake then lock_key end as wake_key, channel
from (
  select current, has_listener, channel,
    may_wake and pg_catalog.current_setting('max_prepared_transactions') = '0' as may_wake,
    1650553967::bigint << 32 | tableoid::bigint as lock_key
  from event_segment
) s
