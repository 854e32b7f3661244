-- Stores the progress of the cancellation or the retry of a batch's members. $1: the id of the batch. $2: the last
-- member that was processed, or null if all members were processed. $3: true for a retry, false for a cancellation. A
-- cancellation that has processed all members starts again with the first member, until the batch ends. Rows: the
-- number of changed batches. Locks: the row of the batch. Index: batch_pkey.
update batch
set cancel_position = case when $3 then cancel_position when cancel_position is not null then coalesce($2::bigint, 0) end,
  retry_position = case when $3 and retry_position is not null then $2::bigint else retry_position end
where id = $1 and ended_at is null
