-- Raises the error for a call that exceeds a usage limit. DETAIL contains the name of the setting.
create or replace function refuse_limit(of_setting text, message text) returns void
language plpgsql as $$
begin
  perform refuse('limitReached', message, 'Nothing was changed. Try again when the hour or the day is over.',
    of_setting);
end $$
