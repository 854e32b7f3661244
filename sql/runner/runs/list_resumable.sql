-- Lists the dead runs that have a checkpoint, for a preview of a retry. If another run with the same key has begun, a
-- retry does not change a dead run with a checkpoint. $1: the ids of dead runs. Rows: the id of each run with a
-- checkpoint, and a boolean that is true if another run with the same key has begun. Locks: none. Indexes:
-- dead_run_pkey, run_checkpoint_pkey, run_pkey.
select d.id,
  exists (select from run r where r.job = d.job and r.key = d.key and r.state = 'running')
from dead_run d
where d.id = any ($1) and exists (select from run_checkpoint c where c.run_id = d.id)
order by d.id
