-- Truncates a partition whose primary key begins with (partition, created_at), if all rows are older than the cutoff.
-- The result is true if the partition was truncated. The result is false if the partition is empty or contains a newer
-- row, and null if another session is using the partition. The function waits at most 20 ms for the lock, because a
-- waiting lock request makes other sessions wait. If the function did not wait at all, frequent readers could block the
-- lock forever. The function checks the age of the rows while it holds the lock, because no other transaction can then
-- write rows.
create or replace function truncate_partition(relation regclass, cutoff timestamptz) returns boolean
language plpgsql
set enable_seqscan = off set enable_sort = off set lock_timeout = '20ms' as $$
declare
  holds_rows boolean;
  is_old boolean;
begin
  perform require_read_committed();
  execute format('select exists (select from %s)', relation) into holds_rows;
  if not holds_rows then
    return false;
  end if;
  execute format('lock table %s in access exclusive mode', relation);
  -- The newest row is the last entry of the primary key, so one index entry is read.
  execute format(
    'select created_at < $1 from %s order by partition desc, created_at desc limit 1', relation)
    into is_old using cutoff;
  if is_old is not true then
    return false;
  end if;
  execute format('truncate %s', relation);
  return true;
exception
  -- If two sessions read the partition and then both try to truncate it, a deadlock occurs.
  when lock_not_available or deadlock_detected then return null;
end $$
