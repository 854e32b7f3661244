-- Counts an attempt to redeem a code, and rejects the attempt if the limit on attempts is exceeded. The user's row
-- stays locked until the transaction ends, so attempts by one user never run concurrently. If the code exists, the
-- caller decrements the count of attempts. If the transaction is rolled back, the attempt does not count toward the
-- user's limit. The attempt still counts toward the hourly limit for all users together.
create or replace function count_attempt(of_user text) returns void
language plpgsql as $$
declare
  at constant timestamptz := domain_now();
  so_far integer;
begin
  if counted_in_hour('attempt_count', at) >= (select attempts_an_hour from setting) then
    perform refuse('tooManyAttempts', 'all users together tried too many codes in this hour',
      'Nothing was changed. Try again when the hour is over.', 'attempts_an_hour');
  end if;
  insert into invite_attempt as a (user_id, began_at, attempts) values (of_user, at, 1)
  on conflict (user_id) do update
  -- A start time in the future is ignored, because it was recorded while the clock was wrong.
  set (attempts, began_at) = (
    select case when w.goes_on then a.attempts + 1 else 1 end, case when w.goes_on then a.began_at else at end
    from (
      select a.began_at > at - interval '1 hour' and a.began_at <= at + interval '1 minute' as goes_on) w)
  returning attempts into so_far;
  if so_far > (select invite_attempts from setting) then
    perform refuse('tooManyAttempts', format('user %s tried too many codes', quote_literal(of_user)),
      'Nothing was changed. Try again in an hour, with a code that a member told.');
  end if;
end $$
