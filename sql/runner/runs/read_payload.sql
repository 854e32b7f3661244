-- Returns the payload that a new attempt for a key would have. If the key has no waiting run, the payload of the key's
-- schedule is returned. If the key has two waiting runs, the statement uses the run with a checkpoint. Rows: one row
-- with the payload as JSON or null. If the key has neither a waiting run nor a schedule, no rows are returned. Locks:
-- none. Index: run_pkey.
(select payload::text from run where job = $1 and key = $2 and (worker is null) is true
 order by state desc limit 1)
union all
select payload::text from schedule
where job = $1 and $2 = rtrim('scheduled/' || name, '/')
  and not exists (select from run where job = $1 and key = $2 and (worker is null) is true)
