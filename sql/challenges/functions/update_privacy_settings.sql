-- Sets whether a user shares workouts from now on. While sharing is off, the user's entries in open weeks are hidden,
-- and workouts from this time never count. If the user switches sharing on again, the entries are shown again. A call
-- with the current value changes nothing. The user_changed trigger applies the change, for every write to the
-- `shares_workouts` column. Only switching sharing on is limited, so that users can always switch sharing off. Index:
-- users_pkey, sharing_pause_pkey.
create or replace function update_privacy_settings(actor text, shares_workouts boolean) returns void
language plpgsql security definer set search_path from current as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  most constant integer := (select s.pauses_a_day from setting s);
begin
  perform require_actor(actor);
  if shares_workouts is null then
    perform refuse('invalidInput', format('privacy settings of user %s: whether workouts are shared is missing',
      quote_literal(actor)), 'Nothing was changed. Send true or false.');
  end if;
  if shares_workouts
    and exists (select from users u where u.id = actor and not u.shares_workouts)
    and (
      select count(*) from (
        select from sharing_pause p
        where p.user_id = actor and p.began_at > domain_now() - interval '24 hours'
          -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
          and p.began_at <= domain_now() + interval '1 minute'
        limit most) p) >= most then
    perform refuse_limit('pauses_a_day', format('user %s switched sharing off too often within a day',
      quote_literal(actor)));
  end if;
  update users u set shares_workouts = update_privacy_settings.shares_workouts
  where u.id = actor and u.shares_workouts <> update_privacy_settings.shares_workouts;
end $$;

comment on function update_privacy_settings is
  'Whether the workouts of the actor are shared. Safe to repeat.'
