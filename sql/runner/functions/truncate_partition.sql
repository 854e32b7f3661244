-- Empties one partition whose primary key begins with (partition, created_at) if all of it is older than
-- the cutoff. True: it did; false: it is empty or holds a row that is not older; null: somebody is
-- using it, try later. The lock is waited for briefly, because everybody else queues behind it: not at
-- all would never get it where readers follow each other closely, and longer would be felt. The check is
-- a statement of its own under the lock: no writer is then open, and it sees what all have written.
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
  -- The newest row is the last entry of the primary key: one look, however many rows there are.
  execute format(
    'select created_at < $1 from %s order by partition desc, created_at desc limit 1', relation)
    into is_old using cutoff;
  if is_old is not true then
    return false;
  end if;
  execute format('truncate %s', relation);
  return true;
exception
  -- Two that have looked at the partition and both empty it wait for each other.
  when lock_not_available or deadlock_detected then return null;
end $$
