-- Enqueues runs as members of a batch. `job` and `runs` have the same meaning as in enqueue_many, and the function also
-- returns the ids of the runs. If `batch_job` is given, the function first opens the batch `batch` with this job and
-- `parent`, and finally seals it. If `batch_job` is null, the batch must already be open. A call that is merged into
-- another run remains a member of the batch. The function runs with the definer's privileges. Errors: those of
-- enqueue_many and open_batch, and ZB019 (no open batch). Locks: the batch's row (KEY SHARE, so that the batch is not
-- sealed before COMMIT), and the new rows.
-- needs: enqueue_many, open_batch
create or replace function enqueue_batch(batch text, job text, runs jsonb, batch_job text default null,
  parent text default null)
returns setof bigint
language plpgsql security definer set search_path from current as $$
declare
  target bigint;
begin
  if batch_job is null and parent is not null then
    raise exception 'only a new batch can be nested, so the batch % needs a job', quote_nullable(left(batch, 64))
      using errcode = 'ZB019', hint = 'Nothing was enqueued. Give `batch_job`, or open the batch with open_batch.';
  end if;
  if batch_job is not null then
    perform open_batch(batch, batch_job, parent);
  end if;
  select b.id into target from batch b where b.name = enqueue_batch.batch and b.sealed_at is null for key share;
  if not found then
    raise exception 'there is no open batch %', quote_nullable(left(batch, 64))
      using errcode = 'ZB019',
        hint = 'Nothing was enqueued. Give `batch_job` for a new batch, or open the batch with open_batch.';
  end if;
  return query
    with call as materialized (
      select e.id, e.number from enqueue_many(enqueue_batch.job, runs) with ordinality e (id, number)
    ),
    -- If `runs` is not an array, enqueue_many rejects the call.
    given as materialized (
      select g.run ->> 'key' as key, g.number
      from jsonb_array_elements(case jsonb_typeof(runs) when 'array' then runs else '[]' end)
        with ordinality g (run, number)
    ),
    member as (
      insert into batch_member (batch, id, job, key)
      select target, c.id,
        coalesce((select a.job from job_alias a where a.name = enqueue_batch.job), enqueue_batch.job),
        coalesce(g.key, '#' || c.id)
      from call c
      join given g using (number)
      order by c.id
    )
    select c.id from call c order by c.number;
  if batch_job is not null then
    update batch b set sealed_at = pg_catalog.now() where b.id = target;
  end if;
end $$
