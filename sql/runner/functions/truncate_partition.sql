-- Empties one partition whose primary key begins with (partition, created_at) if all of it is older than the cutoff.
-- True: it was emptied. False: it is empty or contains a newer row. Null: another session uses it, try later. The wait
-- for the lock is short, because all other sessions queue for the table meanwhile. Without any wait it would never get
-- the lock between frequent readers; a longer wait would delay users. The check is a separate statement under the lock:
-- no writer is then active, and it sees all committed rows.
create or replace function truncate_partition(relation regclass, cutoff timestamptz) returns boolean
language plpgsql
set enable_seqscan = off set enable_sort = off set lock_timeout = '20ms' as $$
declare
  holds_rows boolean;
  is_old boolean;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'truncate_partition must see what was committed before it had the lock'
      using errcode = '25001', hint = 'Call it at READ COMMITTED.';
  end if;
  execute format('select exists (select from %s)', relation) into holds_rows;
  if not holds_rows then
    return false;
  end if;
  execute format('lock table %s in access exclusive mode', relation);
  -- The newest row is the last entry of the primary key: one index read, however many rows there are.
  execute format(
    'select created_at < $1 from %s order by partition desc, created_at desc limit 1', relation)
    into is_old using cutoff;
  if is_old is not true then
    return false;
  end if;
  execute format('truncate %s', relation);
  return true;
exception
  -- If two sessions have read the partition and both empty it, they wait for each other.
  when lock_not_available or deadlock_detected then return null;
end $$
