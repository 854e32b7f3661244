-- Computes the priority of a run that is merged from the run `r` and the inserted run `excluded`. Rows: none, because
-- the fragment is only part of a statement. Locks: none.
case
  when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.priority
  when r.replaced_by > coalesce(excluded.newest_event, 0) then r.priority
  when coalesce(r.replaced_by, excluded.replaced_by) is null then least(r.priority, excluded.priority)
  else (merge_waits(r, excluded)).priority end
