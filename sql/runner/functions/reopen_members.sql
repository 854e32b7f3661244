-- Reopens the batch members whose dead runs were retried in this transaction, and returns their number. If a member's
-- batch has ended, the batch's next generation begins. `jobs` and `keys` are the jobs and the keys of the retried runs.
-- The caller must have deleted the dead runs in an earlier statement, and locked the batches before (lock_members).
-- Locks: the batches and their ancestors, as in reopen_batches, and the members. Indexes: batch_member_key, run_pkey.
-- needs: reopen_batches
create or replace function reopen_members(jobs text[], keys text[]) returns bigint
language plpgsql as $$
declare
  batches bigint[];
  ids bigint[];
begin
  select array_agg(m.batch), array_agg(m.id) into batches, ids
  from (select distinct a.job, a.key from unnest(jobs, keys) a (job, key)) a
  join batch_member m on m.is_dead and m.job = a.job and m.key = a.key
  where exists (
    select from run r
    where r.job = m.job and r.key = m.key and
      -- include: holds_member
    );
  if batches is null then return 0; end if;
  perform reopen_batches(batches, true);
  with opened as (
    update batch_member m set is_dead = false
    from unnest(batches, ids) o (batch, id)
    where m.batch = o.batch and m.is_dead and m.id = o.id
    returning m.batch
  )
  update batch b
  set dead = b.dead - o.members
  from (select o.batch, count(*) as members from opened o group by o.batch) o
  where b.id = o.batch;
  return cardinality(ids);
end $$
