-- Creates a seven-hour stay on the previous day for each member, because the benchmark measures updates of existing
-- rows. Rows: none. Locks: the new rows, the users' statistics.
with stayed as (
  insert into visit (user_id, group_id, arrival, departure, local_date, is_first)
  select m.user_id, m.group_id, t.noon - interval '7 hours', t.noon, (t.noon at time zone 'UTC')::date, false
  from member m, (select date_trunc('day', domain_now(), 'UTC') - interval '12 hours' as noon) t
  returning user_id, group_id, departure
)
insert into presence (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
select group_id, user_id, false, 'manual', departure, 2, departure, departure
from stayed
