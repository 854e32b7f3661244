-- Applies the configured rate to the jobs that send push notifications.
create or replace trigger limit_pushes before insert or update on job_limit
for each row when (
  new.job in ('push-message', 'announce-first-arrival', 'deliver-message', 'deliver-first-arrival',
    'push-webhook'))
execute function limit_pushes()
