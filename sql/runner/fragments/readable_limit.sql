-- The condition that a worker may claim the runs with the batch limit `l.batch_limit` of the job `l.job`. A worker does
-- not claim runs that its own release could not decode while another release of its program has the job, because that
-- release decodes them. `own` has the worker's program and release. If the release is null, the worker claims all runs.
-- Rows: the rows of the statement that includes the fragment. Locks: none.
(l.batch_limit is distinct from -2 - own.release or not exists (
  select from job_release o
  where o.job = l.job and o.program = own.program and o.release <> own.release))
