-- Lists the history partitions that contain only rows older than the retention period, oldest first. Rows from more
-- than 16 weeks in the future do not count, because a wrong clock wrote them. Rows: partition, cutoff time. Locks:
-- none. Indexes: the primary key of each partition, from which one entry is read.
select p.relation, p.cutoff
from (select cutoff_of(run_history_age) as cutoff from runner_setting) c,
  lateral (
    select 'run_history_' || n as relation, c.cutoff,
      (select max(created_at) from run_history
        where partition = n and created_at < pg_catalog.now() + interval '2688 hours') as newest
    from generate_series(0, 15) n
  ) p
where p.newest < p.cutoff
order by p.newest
