-- Computes when a group may start its next run, or null if it has not started one recently. `g` contains the group, and
-- `a` contains the limits of a group (step, burst). $1: the job's name. Rows: none, because the fragment is only part
-- of a statement. Locks: none. Index: limit_start_newest.
      (select s.rested_at from limit_start s where s.job = $1 and s.group_key = g.group_key and s.rested_at > now()
      order by s.rested_at desc limit 1) - (a.burst - 1) * a.step
