-- Removes keys whose last run is too old to matter for a leading edge. Rows that another session removes are left to
-- it. Rows: the number removed, 10,000 at most. Locks: those rows.
delete from recent_run
where ctid = any (array(
  select ctid from recent_run where free_at <= now() limit 10000 for update skip locked))
