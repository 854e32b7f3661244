-- Returns the payload of a run that was enqueued twice. The result is usually the newer payload. If the job's payloads
-- are changes to a row, the result combines `before` from the older payload with `after` from the newer payload. The
-- function checks whether both payloads are changes to a row, because a caller can enqueue any payload.
create or replace function later_payload(of_job text, older jsonb, newer jsonb) returns jsonb
language sql stable
return case
  when older is null or newer is null then coalesce(newer, older)
  when older ? 'before' and newer ? 'after' and (select j.joins_changes from job j where j.name = of_job)
    then jsonb_build_object('before', older -> 'before', 'after', newer -> 'after')
  else newer end
