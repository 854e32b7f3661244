-- The segment that writers append to, and the key of the lock that a worker holds while it is awake. `wake_key` is the
-- same key if a write may try the lock, and null if no worker listens. The key is the table's own number, so that
-- schemas of one database do not wake each other. If prepared transactions are enabled, no session notifies, because
-- PREPARE TRANSACTION fails after NOTIFY.
create or replace view event_target with (security_invoker = true) as
select current, lock_key, may_wake, case when has_listener and may_wake then lock_key end as wake_key
from (
  select current, has_listener,
    may_wake and pg_catalog.current_setting('max_prepared_transactions') = '0' as may_wake,
    1650553967::bigint << 32 | tableoid::bigint as lock_key
  from event_segment
) s
