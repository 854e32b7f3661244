-- Opens a batch, to which enqueue_batch adds members until seal_batch is called. `name` is unique among the batches
-- that are still stored. `batch_job` is any name of the job that runs when the batch ends, or null for no run. `parent`
-- is the name of the batch that cannot end before this batch, or null. The function runs with the definer's privileges.
-- Errors: ZB005 (unknown job), ZB016 (retired job), ZB019 (invalid name, or a parent that is missing or has ended).
-- Locks: the new row, and the parent (KEY SHARE, so that the parent does not end before COMMIT). If an open transaction
-- has opened a batch with this name, the function waits for that transaction.
-- needs: is_key, iso_text
create or replace function open_batch(name text, batch_job text default null, parent text default null)
returns void
language plpgsql security definer set search_path from current as $$
declare
  stored text;
  retired_at timestamptz;
  parent_id bigint;
begin
  if name is null or not is_key(name) then
    raise exception 'the name of a batch has 1 to 256 bytes and no control characters'
      using errcode = 'ZB019', hint = 'Nothing was changed. Give a name such as ''export-7''.';
  end if;
  if batch_job is not null then
    select j.name, j.retired_at into stored, retired_at
    from job j
    where j.name = coalesce((select a.job from job_alias a where a.name = open_batch.batch_job), open_batch.batch_job);
    if stored is null then
      raise exception 'there is no job %, which the batch % names', quote_literal(left(batch_job, 64)),
          quote_literal(left(name, 64))
        using errcode = 'ZB005', hint = 'Nothing was changed. The command `jobs` lists the jobs.';
    end if;
    if retired_at is not null then
      raise exception 'the job %, which the batch % names, is retired since %', quote_literal(stored),
          quote_literal(left(name, 64)), iso_text(retired_at)
        using errcode = 'ZB016',
          hint = 'Nothing was changed. The command `jobs retire --undo` makes it available again.';
    end if;
  end if;
  if parent is not null then
    select b.id into parent_id from batch b where b.name = open_batch.parent and b.ended_at is null for key share;
    if not found then
      raise exception 'there is no batch %, or it has ended, so the batch % cannot be nested in it',
          quote_literal(left(parent, 64)), quote_literal(left(name, 64))
        using errcode = 'ZB019', hint = 'Nothing was changed. The command `batches` lists the batches.';
    end if;
  end if;
  insert into batch (name, batch_job, parent) values (open_batch.name, stored, parent_id)
  on conflict on constraint batch_name_key do nothing;
  if not found then
    raise exception 'there is already a batch %', quote_literal(left(name, 64))
      using errcode = 'ZB019', hint = 'Nothing was changed. Choose another name, for example with a date or an id.';
  end if;
end $$
