-- The payload of a run that was asked for twice: the newer one. Of a job whose payload is the change of a row it
-- is one from before the first to after the last; where both are that, for a call may bring any.
create or replace function later_payload(of_job text, older jsonb, newer jsonb) returns jsonb
language sql stable
return case
  when older is null or newer is null then coalesce(newer, older)
  when older ? 'before' and newer ? 'after' and (select j.joins_changes from job j where j.name = of_job)
    then jsonb_build_object('before', older -> 'before', 'after', newer -> 'after')
  else newer end
