-- Locks unsealed batches in which nothing has changed for the retention period of dead runs (fragment abandoned_batch).
-- While a batch is locked, no caller can add members before purge_batches deletes it. Rows: the ids. Locks: the
-- batches, SKIP LOCKED. If a caller that adds members has locked a batch, the batch is skipped. Index: batch_due, and
-- the indexes of the fragment.
select b.id
from batch b
where b.ended_at is null and
  -- include: abandoned_batch
order by b.id
limit $1
for update skip locked
