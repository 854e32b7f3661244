-- Locks waiting runs before they are removed, in the same order in which the statement `fold` locks ready runs. A
-- dispatch that wakes parked runs locks these runs in a different order, so a deadlock with this statement is possible
-- (decision 30). $1: the jobs of the runs. $2: the keys of the runs. Rows: the ids of the runs. Locks: the runs. Index:
-- run_pkey.
select r.id
from (select distinct a.job, a.key from unnest($1::text[], $2::text[]) a (job, key)) a
join run r on r.job = a.job and r.key = a.key and r.worker is null
order by r.job, r.key, r.id
for update of r
