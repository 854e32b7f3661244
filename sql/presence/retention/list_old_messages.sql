-- Lists the partitions of messages in which all rows are older than the retention period, oldest first. Rows from
-- more than 16 weeks in the future do not count, because a wrong clock wrote them. Rows: the partition, and the time
-- before which rows are expired. Locks: none. Indexes: the primary key of each partition, from which one entry is read.
select p.relation, p.cutoff
from setting s,
  lateral (
    select 'message_' || n as relation, domain_now() - in_seconds(s.message_age) as cutoff,
      (select max(created_at) from message
        where partition = n and created_at < domain_now() + interval '2688 hours') as newest
    from generate_series(0, 15) n
  ) p
where p.newest < p.cutoff
order by p.newest
