-- Takes a token from a user's bucket, which the caller must have locked. If the bucket is empty, the call is rejected,
-- and DETAIL contains the seconds until the next token. The state of the bucket is computed in microseconds, as in the
-- client library. If the clock was set back, the bucket counts as full after at most 10 seconds.
create or replace function take_token(of_user text, of_group text, at timestamptz) returns void
language plpgsql as $$
declare
  missing constant interval := (
    select least(greatest(b.full_at - at, '0'), '10 seconds')
    from message_bucket b where b.user_id = of_user and b.group_id = of_group);
begin
  if missing > '8 seconds' then
    perform refuse('rateLimited', format('user %s writes too fast', quote_literal(of_user)),
      'Nothing was sent. Send it again, with the same id, behind the pause in the detail.',
      extract(epoch from missing - interval '8 seconds')::text);
  end if;
  update message_bucket b set full_at = at + missing + interval '2 seconds'
  where b.user_id = of_user and b.group_id = of_group;
end $$
