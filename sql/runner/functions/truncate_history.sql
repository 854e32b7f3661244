-- Truncates the history partition of one day if all its rows are older than the retention period. Roles without the
-- TRUNCATE privilege can call the function, so the function checks the partition's name and the age of the rows. The
-- function returns the same result and acquires the same locks as truncate_partition.
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
