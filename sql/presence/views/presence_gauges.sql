-- Contains the monitoring gauge of Who's There. The gauge is the number of push notifications that were dropped because
-- of their age or refused by a webhook. `whosthere status` and /metrics show the gauge.
create or replace view presence_gauges with (security_invoker = true) as
select 'pushes_dropped' as name,
  'Pushes that were older than push_age, or that a webhook did not accept, since the schema was created.' as help,
  case when d.is_called then d.last_value else 0 end::double precision as value,
  null::double precision as most, '' as next
from dropped_push d
