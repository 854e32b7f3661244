-- Reads the stored steps of a claimed run of an effect job, before the first step of an attempt. $1: the job's name. $2: the
-- key of the run. $3: the fencing token. $4: the id of the run. Rows: name and result of each step, one row with nulls if
-- no step is stored, or the error ZB011 if another worker has claimed the run. Locks: none. Indexes: run_pkey,
-- run_step_pkey. A lock is not necessary: only the owner of the token stores steps, and the claim that stored the token
-- has waited for the transactions of earlier owners.
select s.name, s.result::text
from (
  select check_claim(count(*), 1) from run where job = $1 and key = $2 and state = 'running' and token = $3) c
left join run_step s on s.run_id = $4
