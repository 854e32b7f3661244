-- Empties one day of the history of runs, if all of it is older than is kept. It is for roles that may not empty the
-- table themselves, so the function determines the table and the age of its rows. Results and locks: those of
-- truncate_partition.
create or replace function truncate_history(partition text, cutoff timestamptz) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  if partition !~ '^run_history_([0-9]|1[0-5])$' then
    raise exception '% is no day of the history of runs', quote_literal(left(partition, 64))
      using errcode = 'ZB032', hint = 'Nothing was removed.';
  end if;
  return truncate_partition(partition::regclass,
    least(cutoff, cutoff_of((select run_history_age from runner_setting))));
end $$
