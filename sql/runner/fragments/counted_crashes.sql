-- Computes the number of relevant crashes of the run `r`: all crashes since the last committed step, and all crashes in
-- the last ten minutes. Crashes with a future time do not count, because the server's clock was wrong when they were
-- recorded. Rows: none, because the fragment is only part of a statement. Locks: none.
greatest(r.crashes, (
  select count(*) from unnest(r.crashed_at) t (at)
  where t.at > now() - interval '10 minutes' and t.at <= now() + interval '1 second'))
