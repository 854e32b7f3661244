-- The condition is true if a worker may claim runs of the job `l.job` with the batch limit `l.batch_limit`. If another
-- release of the program has the job, a worker does not claim runs that its own release could not decode. `own`
-- contains the worker's program and release. If the release is null, the worker claims all runs. Rows: none, because
-- the fragment is only part of a statement. Locks: none.
(l.batch_limit is distinct from -2 - own.release or not exists (
  select from job_release o
  where o.job = l.job and o.program = own.program and o.release <> own.release))
