-- Stores up to which member the members of a batch are cancelled or retried. $1: the id of the batch. $2: the last
-- member of the piece, or null after the last piece. $3: true for a retry, false for a cancellation. A cancellation
-- begins again after the last piece, until the batch ends. Rows: the number of changed batches. Locks: the row of the
-- batch. Index: batch_pkey.
update batch
set cancel_position = case when $3 then cancel_position when cancel_position is not null then coalesce($2::bigint, 0) end,
  retry_position = case when $3 and retry_position is not null then $2::bigint else retry_position end
where id = $1 and ended_at is null
