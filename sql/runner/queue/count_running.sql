-- Counts the running runs of a job toward a limit that this transaction has set. Runs that were claimed before the job
-- had limits have no group and no claim number, so claims would not count them. Runs that were claimed before the job
-- declared groups have the empty group. $1: the job's name. Rows: the number of changed runs, which is 0 if this
-- transaction has not changed the job's limits. Locks: the changed runs, SKIP LOCKED, because a transaction that
-- executes a batch or a step keeps its runs locked until it ends. Index: run_running.
update run r
set group_key = coalesce(group_of(l.group_field, l.group_separator, l.group_part, r.key, r.payload), ''),
  claim_number = n.number
from job_limit l, (select nextval('claim_number_seq') as number) n
where l.job = $1
  and r.ctid = any (array(
    select w.ctid from run w
    where w.worker is not null and w.job = $1 and coalesce(w.group_key, '') = ''
      and (select count(*) > 0 from job_limit c
        where c.job = $1 and c.xmin = pg_current_xact_id_if_assigned()::xid)
    for update skip locked))
