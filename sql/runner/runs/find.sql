-- Finds a run by its id, or by the id of a run that was merged into it. $1: the id. Rows: one row with id, job, key, state
-- (function locate_run), and a boolean that is true if the run has ended, or no row if the run does not exist. Locks:
-- none.
select id, job, key, state, has_ended from locate_run($1, null, null)
