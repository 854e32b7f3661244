-- The payload of a run that was enqueued twice: the newer one. If the job's payload is the change of a row, the result
-- goes from the older payload's `before` to the newer one's `after`. This holds only if both are changes, because a
-- call may pass any payload.
create or replace function later_payload(of_job text, older jsonb, newer jsonb) returns jsonb
language sql stable
return case
  when older is null or newer is null then coalesce(newer, older)
  when older ? 'before' and newer ? 'after' and (select j.joins_changes from job j where j.name = of_job)
    then jsonb_build_object('before', older -> 'before', 'after', newer -> 'after')
  else newer end
