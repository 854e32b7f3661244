-- Stores how far the cancellation or the retry of a batch's members has progressed. $1: the batch's id. $2: the last
-- member that was processed, or null if all members were processed. $3: true for a retry, false for a cancellation. A
-- cancellation that has processed all members starts again with the first member, until the batch ends. Rows: the
-- number of changed batches. Locks: the batch's row. Index: batch_pkey.
update batch
set cancel_position = case when $3 then cancel_position when cancel_position is not null then coalesce($2::bigint, 0) end,
  retry_position = case when $3 and retry_position is not null then $2::bigint else retry_position end
where id = $1 and ended_at is null
