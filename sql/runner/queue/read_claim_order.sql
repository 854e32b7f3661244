-- How runs of a job are claimed. $1 job. Rows: one. Locks: none. Indexes: run_held, job_limit_pkey, job_pkey.
select claim_order($1)
