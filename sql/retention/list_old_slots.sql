-- Slots of notices and of the history of runs that hold nothing younger than is kept.
-- Rows: partition, the age's cutoff. Locks: none. Indexes: the slots' primary keys, one step each.
select p.relation, p.cutoff
from setting s,
  lateral (
    select 'notification_' || n as relation, domain_now() - s.notification_age as cutoff,
      (select max(created_at) from notification where slot = n) as newest
    from generate_series(0, 15) n
    union all
    select 'run_history_' || n, pg_catalog.now() - s.run_history_age,
      (select max(created_at) from run_history where slot = n)
    from generate_series(0, 15) n
  ) p
where p.newest < p.cutoff
order by p.newest
