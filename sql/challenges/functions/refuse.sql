-- Raises one of the errors in docs/gymrats/api.md. The CONSTRAINT field contains the error's name, so that a client
-- does not need to parse the message.
create or replace function refuse(problem text, message text, hint text, detail text default '')
returns void language plpgsql as $$
begin
  raise exception using
    errcode = case problem
      when 'notAuthenticated' then 'ZG001'
      when 'alreadyInGroup' then 'ZG002'
      when 'groupNotFound' then 'ZG003'
      when 'groupFull' then 'ZG004'
      when 'notGroupAdmin' then 'ZG005'
      when 'challengeNotFound' then 'ZG006'
      when 'invalidChallengeType' then 'ZG007'
      when 'challengeExpired' then 'ZG008'
      when 'inviteInvalid' then 'ZG009'
      when 'tooManyAttempts' then 'ZG010'
      when 'notAMember' then 'ZG011'
      when 'invalidInput' then 'ZG012'
      when 'conflictingRepeat' then 'ZG013'
      when 'streakIsDerived' then 'ZG014'
      when 'limitReached' then 'ZG015'
    end,
    constraint = problem, message = message, hint = hint, detail = detail;
end $$
