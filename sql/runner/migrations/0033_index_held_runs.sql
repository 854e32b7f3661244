-- A poll finds the first held run of each job by its due time. In the index run_held, which begins with the group, the
-- entries of completed held runs of other groups come first.

-- The condition has another form than in run_held, so that the planner cannot use one index instead of the other.
create index run_held_due on run (job, due) where (not is_held) is false;
