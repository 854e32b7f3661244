-- Locks unsealed batches in which nothing has changed for the retention time of dead runs (fragment abandoned_batch). Callers
-- then add no member before purge_batches deletes the batches. $1: the maximum number of batches. Rows: the ids.
-- Locks: the batches, SKIP LOCKED. A caller that adds members holds the row, so its batch is skipped. Index: batch_due,
-- and the indexes of the fragment.
select b.id
from batch b
where b.ended_at is null and
  -- include: abandoned_batch
order by b.id
limit $1
for update skip locked
