-- Lists the dead runs with a checkpoint, so that a preview can tell which runs a retry would leave dead. $1: the ids.
-- Rows: the id of each run, and a boolean that is true if another run of its key has begun. Locks: none. Indexes:
-- dead_run_pkey, run_checkpoint_pkey, run_pkey.
select d.id,
  exists (select from run r where r.job = d.job and r.key = d.key and r.state = 'running')
from dead_run d
where d.id = any ($1) and exists (select from run_checkpoint c where c.run_id = d.id)
order by d.id
