-- Contains the current segment of the event log, the channel of NOTIFY, and the key of the lock that an awake worker has.
-- The column wake_key is the same key, or null if no worker listens or NOTIFY is not possible. The key contains the
-- table's oid, so that schemas of one database do not wake each other's workers. All logins see the key in pg_locks, so
-- the name of the channel does not depend on the key. If prepared transactions are enabled, no session uses NOTIFY,
-- because PREPARE TRANSACTION fails after NOTIFY.
create or replace view event_target with (security_invoker = true) as
select current, lock_key, may_wake, case when has_listener and may_wake then lock_key end as wake_key, channel
from (
  select current, has_listener, channel,
    may_wake and pg_catalog.current_setting('max_prepared_transactions') = '0' as may_wake,
    1650553967::bigint << 32 | tableoid::bigint as lock_key
  from event_segment
) s
