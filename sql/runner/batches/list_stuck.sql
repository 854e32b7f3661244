-- Lists up to 20 open batches that will probably not end without manual action, oldest first. Rows: the name, the
-- reason, and the stored name of the job or null. `locked`: an open transaction locks the batch, or no worker advances
-- the batch. `unsealed`: for a day, the batch has had no open members and no changes. `blocked`: the job is missing or
-- retired. Locks: none. Indexes: batch_due, batch_parent, batch_member_pkey. The statement reads all open batches,
-- their nested batches, and at most one member of each batch.
select b.name, s.reason, b.batch_job
from batch b,
lateral (
  select exists (select from batch_member m where m.batch = b.id and not m.is_dead)
      or exists (select from batch c where c.parent = b.id and c.ended_at is null) as has_open,
    greatest(b.created_at, b.sealed_at, b.changed_at, (
      select max(greatest(c.created_at, c.ended_at)) from batch c where c.parent = b.id)) as changed_at) o,
lateral (
  select case
    -- A dispatcher needs minutes to advance 100,000 open batches once.
    when b.due < pg_catalog.now() - interval '10 minutes' then 'locked'
    when o.has_open or b.retry_position is not null then null
    when b.sealed_at is null then case when o.changed_at < pg_catalog.now() - interval '1 day' then 'unsealed' end
    when b.batch_job is not null and not exists (
      select from job j where j.name = b.batch_job and j.retired_at is null) then 'blocked'
    -- The batch is sealed and has no open members, but has not ended. Only an open transaction that adds members can
    -- prevent the batch from ending.
    when o.changed_at < pg_catalog.now() - interval '1 minute' then 'locked'
  end as reason) s
where b.ended_at is null and s.reason is not null
order by b.id
limit 20
