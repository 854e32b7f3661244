-- Truncates a partition whose primary key begins with (partition, created_at), if its newest row is older than the
-- cutoff. Rows from more than 16 weeks in the future do not count, because a wrong clock wrote them. They are deleted
-- with the old rows. Returns true if the partition was truncated, and false if it contains a newer row or only rows
-- that do not count. Returns null if another session is using the partition. Locks: the partition, ACCESS EXCLUSIVE,
-- for which the function waits at most 20 ms, because a waiting lock request makes other sessions wait. Without the
-- wait, frequent readers could block the lock forever. While the function holds the lock, no other transaction can
-- write rows.
create or replace function truncate_partition(relation regclass, cutoff timestamptz) returns boolean
language plpgsql
set enable_seqscan = off set enable_sort = off set lock_timeout = '20ms' as $$
declare
  number smallint;
  is_old boolean;
begin
  perform require_read_committed();
  execute format('select partition from %s limit 1', relation) into number;
  if number is null then
    return false;
  end if;
  execute format('lock table %s in access exclusive mode', relation);
  -- All rows have the same number, so one entry of the primary key is read.
  execute format(
    'select created_at < $1 from %s where partition = $2 and created_at < $3 order by created_at desc limit 1',
    relation)
    into is_old using cutoff, number, greatest(pg_catalog.now(), domain_now()) + interval '2688 hours';
  if is_old is not true then
    return false;
  end if;
  execute format('truncate %s', relation);
  return true;
exception
  -- If two sessions read the partition and then both try to truncate it, a deadlock occurs.
  when lock_not_available or deadlock_detected then return null;
end $$
