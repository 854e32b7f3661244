-- Raises one of the errors in docs/whosthere/api.md. The CONSTRAINT field contains the error's name, so that a client
-- does not need to parse the message.
create or replace function refuse(problem text, message text, hint text, detail text default '')
returns void language plpgsql as $$
begin
  raise exception using
    errcode = case problem
      when 'notAuthenticated' then 'ZW001'
      when 'sessionExpired' then 'ZW002'
      when 'groupNotFound' then 'ZW003'
      when 'notAMember' then 'ZW004'
      when 'notGroupAdmin' then 'ZW005'
      when 'groupFull' then 'ZW006'
      when 'alreadyAMember' then 'ZW007'
      when 'inviteInvalid' then 'ZW008'
      when 'inviteExpired' then 'ZW009'
      when 'tooManyAttempts' then 'ZW010'
      when 'messageEmpty' then 'ZW011'
      when 'messageTooLong' then 'ZW012'
      when 'rateLimited' then 'ZW013'
      when 'invalidInput' then 'ZW014'
      when 'conflictingRepeat' then 'ZW015'
      when 'limitReached' then 'ZW016'
    end,
    constraint = problem, message = message, hint = hint, detail = detail;
end $$
