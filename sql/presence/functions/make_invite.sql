-- Creates a new invite code for a group, which replaces the current code. The caller must have locked the group. If the
-- random 80-bit code already exists, another code is generated. N concurrent calls by one user for distinct groups may
-- exceed the daily limit on new codes by N - 1. Index: invite_creator.
create or replace function make_invite(of_group text, by_user text, lifetime interval) returns invite_answer
language plpgsql as $$
declare
  at constant timestamptz := domain_now();
  drawn text;
  most constant integer := (select s.invites_a_day from setting s);
begin
  if (
    select count(*) from (
      select from invite i where i.created_by = by_user and i.created_at > at - interval '24 hours'
      -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
      and i.created_at <= at + interval '1 minute'
      limit most) i) >= most then
    perform refuse_limit('invites_a_day', format('user %s created too many codes within a day',
      quote_literal(by_user)));
  end if;
  update invite i set replaced_at = greatest(at, i.created_at)
  where i.group_id = of_group and i.replaced_at is null;
  loop
    drawn := new_code();
    insert into invite (code, group_id, created_by, created_at, expires_at)
    values (drawn, of_group, by_user, at, at + lifetime)
    on conflict (code) do nothing;
    exit when found;
  end loop;
  return row(drawn, of_group, at + lifetime)::invite_answer;
end $$
