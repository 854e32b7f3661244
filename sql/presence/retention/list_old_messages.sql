-- Lists the partitions of messages in which all rows are older than the retention period, oldest first. Rows: the
-- partition, and the time before which rows are expired. Locks: none. Indexes: the primary key of each partition, from
-- which one entry is read.
select p.relation, p.cutoff
from setting s,
  lateral (
    select 'message_' || n as relation, domain_now() - in_seconds(s.message_age) as cutoff,
      (select max(created_at) from message where partition = n) as newest
    from generate_series(0, 15) n
  ) p
where p.newest < p.cutoff
order by p.newest
