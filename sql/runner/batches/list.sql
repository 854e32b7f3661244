-- Lists batches, newest first. $1: the name of a batch, or null for all batches. $2: true to list only batches that
-- have not ended. $3: the id before which the list starts, or null. $4: the maximum number of batches. Rows: id, name,
-- state, generation, job, name of the parent, number of open members, counts of done, dead and cancelled members, and
-- the times of opening, sealing and ending. The `blocked` state means that the batch is waiting for its missing or
-- retired job. Locks: none. Indexes: batch_pkey, batch_name_key, batch_member_pkey. The statement reads all open
-- members of the listed batches.
select b.id, b.name,
  case when b.ended_at is not null then 'ended' when b.cancel_position is not null then 'cancelling'
    when b.retry_position is not null then 'retrying' when b.sealed_at is null then 'open'
    when m.open = 0 and b.batch_job is not null
      and not exists (select from job j where j.name = b.batch_job and j.retired_at is null) then 'blocked'
    else 'sealed' end,
  b.generation, b.batch_job, p.name, m.open, b.done, b.dead, b.cancelled, iso_text(b.created_at), iso_text(b.sealed_at),
  iso_text(b.ended_at)
from batch b
left join batch p on p.id = b.parent,
lateral (select count(*) as open from batch_member m where m.batch = b.id and not m.is_dead) m
where ($1::text is null or b.name = $1) and (not $2 or b.ended_at is null) and ($3::bigint is null or b.id < $3)
order by b.id desc
limit $4
