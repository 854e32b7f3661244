-- Reads the stored steps of an effect job's claimed run, before the first step of an attempt. $1: the job's name. $2:
-- the run's key. $3: the fencing token. $4: the run's id. Rows: the name and the result of each step, or one row with
-- nulls if no step is stored. Errors: ZB011 if another worker has claimed the run. Locks: none. Indexes: run_pkey,
-- run_step_pkey. A lock is not necessary, because only the owner of the fencing token can store steps. The statement's
-- snapshot contains the steps of all earlier workers, because the run was claimed only after those workers'
-- transactions had ended.
select s.name, s.result::text
from (
  select check_claim(count(*), 1) from run where job = $1 and key = $2 and state = 'running' and token = $3) c
left join run_step s on s.run_id = $4
