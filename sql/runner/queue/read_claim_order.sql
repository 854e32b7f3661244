-- Returns the order in which the runs of a job must be claimed: `group`, `limit`, `priority` or `plain`. $1: the job's
-- name. Rows: one row with the order. Locks: none. Indexes: run_held, job_limit_pkey, job_pkey.
select claim_order($1)
