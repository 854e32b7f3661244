-- The number of crashes of the run `r` that count: those since the last committed step, and those of the last ten
-- minutes. A crash in the future was recorded while the server's clock was wrong. Rows: the rows of the statement that
-- includes the fragment. Locks: none.
greatest(r.crashes, (
  select count(*) from unnest(r.crashed_at) t (at)
  where t.at > now() - interval '10 minutes' and t.at <= now() + interval '1 second'))
