-- Returns the member-specific content of the notification that a week has ended. The function formats a timestamp,
-- because a date would first be converted to an instant in the session's time zone.
create or replace function week_ended_content(week_start date, scores integer[]) returns jsonb
language sql stable
return jsonb_build_object(
  'week_start', week_start,
  'message', to_char(week_start::timestamp, '"Week "FMIW" has ended"')
    || case when scores[1] is null and scores[4] is null then '. See who won.'
      else ': you came ' || concat_ws(' and ', '#' || scores[1] || ' in check-ins',
        '#' || scores[4] || ' in streak') || '.' end,
  'you', case when scores[1] is null and scores[4] is null then '{}'
    else jsonb_build_object(
      'check-ins', jsonb_build_object('rank', scores[1], 'value', scores[2],
        'previous_rank', case when scores[1] is not null then scores[3] end),
      'streak', jsonb_build_object('rank', scores[4], 'value', scores[5],
        'previous_rank', case when scores[4] is not null then scores[6] end)) end)
