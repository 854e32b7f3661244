-- Truncates one week of messages if all of the partition's rows are older than the retention period. Roles without the
-- TRUNCATE privilege can call the function, so the function checks the partition's name and the age of the rows. The
-- function returns the same result and acquires the same locks as truncate_partition.
create or replace function truncate_messages(partition text, cutoff timestamptz) returns boolean
language plpgsql security definer set search_path from current as $$
begin
  if partition !~ '^message_([0-9]|1[0-5])$' then
    raise exception '% is no week of messages', quote_literal(left(partition, 64))
      using errcode = 'ZB032', hint = 'Nothing was removed.';
  end if;
  return truncate_partition(partition::regclass,
    least(cutoff, (select domain_now() - in_seconds(message_age) from setting)));
end $$
