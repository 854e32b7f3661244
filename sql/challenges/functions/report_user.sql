-- Stores the actor's report about another user in a group. The actor and the reported user must be current or former
-- members of the group. Only operators can read reports. If a report with the same id and the same content exists, the
-- call has no effect. Locks: the rows of the actor and of the reported user in order of id, so that the limit on
-- reports is exact. Indexes: member_pkey, user_report_pkey, user_report_reporter.
create or replace function report_user(
  actor text, report_id uuid, group_id text, user_id text, reason text, note text default ''
) returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(user_id),
    octet_length(reason), octet_length(note)]);
  at constant timestamptz := domain_now();
  most constant integer := (select s.reports_an_hour from setting s);
  there user_report;
begin
  perform require_actor(actor);
  if report_id is null or reason is null or reason not in (select unnest(enum_range(null::report_reason))::text) then
    perform refuse('invalidInput', 'a report needs an id and one of the reasons',
      'Nothing was changed. Send spam, harassment, profile, cheating or other.');
  elsif char_length(note) > 1000 then
    perform refuse('invalidInput', format('the note has %s characters, and 1000 are allowed', char_length(note)),
      'Nothing was changed. Shorten the note.');
  end if;
  perform hold_users(actor, report_user.user_id);
  select * into there from user_report r where r.id = report_id;
  if there.id is not null then
    if (there.reporter::text, there.reported::text, there.group_id::text, there.reason::text, there.note)
      is distinct from (actor, report_user.user_id, report_user.group_id, report_user.reason,
        coalesce(report_user.note, '')) then
      perform refuse('conflictingRepeat', format('report %s was sent with other content', report_id),
        'Nothing was changed. Send a new id for a new report.');
    end if;
    return;
  end if;
  if not exists (select from member m where m.group_id = report_user.group_id and m.user_id = actor) then
    perform require_member(actor, report_user.group_id);
  elsif not exists (
    select from member m where m.group_id = report_user.group_id and m.user_id = report_user.user_id)
  then
    perform refuse_stranger(report_user.user_id, report_user.group_id);
  elsif (
    select count(*) from (
      select from user_report r where r.reporter = actor and r.created_at > at - interval '1 hour'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and r.created_at <= at + interval '1 minute'
      limit most) r) >= most
  then
    perform refuse_limit('reports_an_hour', format('user %s sent too many reports within an hour',
      quote_literal(actor)));
  end if;
  insert into user_report (id, reporter, reported, group_id, reason, note, created_at)
  values (report_id, actor, report_user.user_id, report_user.group_id, report_user.reason::report_reason,
    coalesce(report_user.note, ''), at)
  on conflict do nothing;
  if not found then
    perform refuse('conflictingRepeat', format('report %s was sent by another call', report_id),
      'Nothing was changed. Send a new id for a new report.');
  end if;
end $$;

comment on function report_user is 'Reports a user of a group to the operators. Safe to repeat with the same id.'
